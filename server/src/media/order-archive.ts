import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ByteRange } from "@beatmarket/http/byte-range.ts";
import type { OrderFile } from "../resources/orders/fulfilment/fulfilment.ts";
import { sizeOf, type ZipPart, zipParts } from "./zip-layout.ts";

/** A part of `StoredObjects`. */
export interface ArchiveObjects {
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  head(sha256: string): Promise<{ bytes: number } | null>;
  checksum(sha256: string): Promise<number>;
}

/** The ZIP of files, with the same bytes whenever it is made. Size and ETag are known without reading the files. */
export class OrderArchive {
  readonly files: readonly OrderFile[];
  readonly #at: Date;

  /** `at` is the modification time of its entries. */
  constructor(files: readonly OrderFile[], at: Date) {
    this.files = files;
    this.#at = at;
  }

  get bytes(): number {
    return this.#parts(this.files.map(() => 0)).reduce((sum, part) => sum + sizeOf(part), 0);
  }

  get etag(): string {
    const names = this.files.map(({ filename, sha256 }) => [filename, sha256]);
    return `"${createHash("sha256")
      .update(JSON.stringify([this.#at, names]))
      .digest("hex")}"`;
  }

  /** The bytes of a range. Rejects before the first byte when a file is missing. Holds one chunk of one file at a time. */
  async open(objects: ArchiveObjects, range: ByteRange | undefined): Promise<Readable> {
    const checksums: number[] = [];
    for (const { sha256, bytes } of this.files) {
      const size = (await objects.head(sha256))?.bytes;
      if (size !== bytes) throw new MissingFile(sha256);
      checksums.push(await objects.checksum(sha256));
    }
    const requested = range ?? { first: 0, last: this.bytes - 1 };
    return Readable.from(this.#send(objects, this.#parts(checksums), requested), { objectMode: false });
  }

  #parts(checksums: readonly number[]): ZipPart[] {
    const entries = this.files.map(({ filename, bytes }, at) => ({ name: filename, bytes, crc32: checksums[at] ?? 0 }));
    return zipParts(entries, this.#at);
  }

  async *#send(objects: ArchiveObjects, parts: readonly ZipPart[], { first, last }: ByteRange): AsyncGenerator<Buffer> {
    let offset = 0;
    for (const part of parts) {
      const bytes = sizeOf(part);
      const from = Math.max(first - offset, 0);
      const to = Math.min(last - offset, bytes - 1);
      offset += bytes;
      if (from > to) continue;
      if (Buffer.isBuffer(part)) {
        yield part.subarray(from, to + 1);
        continue;
      }
      const { sha256 = "" } = this.files.find(({ filename }) => filename === part.name) ?? {};
      // A whole object is compared with its hash while it is read.
      yield* await objects.open(sha256, from === 0 && to === bytes - 1 ? undefined : { first: from, last: to });
    }
  }
}

/** A file that the storage has lost, or stores with another size. */
export class MissingFile extends Error {
  override readonly name = "MissingFile";

  constructor(sha256: string) {
    super(`There is no object ${sha256} of the right size.`);
  }
}
