import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { AnchoredFiles } from "./anchored-files.ts";
import type { Files, PlaceOfFiles } from "./files.ts";
import {
  identityKey,
  isSha256,
  type LinkOptions,
  ObjectNotFound,
  type ObjectRange,
  objectKey,
  type Storage,
  type StorageUpkeep,
  WrongContent,
} from "./storage.ts";
import { readAll } from "./whole.ts";

/** Objects as files of a folder or a bucket. The key of a file is derived from the object's hash. */
export class ObjectStorage implements Storage, StorageUpkeep, PlaceOfFiles {
  readonly #place: Files;
  #anchored: AnchoredFiles | null = null;

  constructor(files: Files) {
    this.#place = files;
  }

  get files(): Files {
    return this.#anchored ?? this.#place;
  }

  get place(): string {
    return this.files.place;
  }

  put(file: string, sha256: string, bytes: number): Promise<void> {
    return this.files.put(objectKey(sha256), verifyingStream(file, sha256, bytes));
  }

  async get(sha256: string, range?: ObjectRange): Promise<Readable> {
    const content = await this.files.get(objectKey(sha256), range);
    if (content === null) throw new ObjectNotFound(sha256);
    return content;
  }

  async head(sha256: string): Promise<{ bytes: number } | null> {
    const head = await this.files.head(objectKey(sha256));
    return head && { bytes: head.bytes };
  }

  delete(sha256: string): Promise<void> {
    return this.files.delete(objectKey(sha256));
  }

  link(sha256: string, options: LinkOptions): Promise<string | null> {
    return this.files.link(objectKey(sha256), options);
  }

  async readIdentity(): Promise<string | null> {
    const content = await this.files.get(identityKey);
    if (content === null) return null;
    return (await readAll(content)).toString().trim();
  }

  writeIdentity(identity: string): Promise<void> {
    return this.files.put(identityKey, chunksOf(Buffer.from(`${identity}\n`)));
  }

  bindTo(identity: string): void {
    const isOurs = (content: string) => content.trim() === identity;
    this.#anchored = new AnchoredFiles(this.#place, { key: identityKey, isOurs });
  }

  async requirePlace(): Promise<void> {
    await this.#anchored?.requirePlace();
  }

  check(): Promise<void> {
    return this.files.check();
  }

  async *list(): AsyncIterable<{ sha256: string; bytes: number }> {
    for await (const { key, bytes } of this.files.list("")) {
      const sha256 = sha256Of(key);
      if (sha256 !== null) yield { sha256, bytes };
    }
  }

  deleteDrafts(before: Date): Promise<void> {
    return this.files.deleteDrafts(before, (key) => sha256Of(key) !== null);
  }
}

/** Returns the hash from the key of an object; null for other files. */
export function sha256Of(key: string): string | null {
  const sha256 = key.slice(key.lastIndexOf("/") + 1);
  return isSha256(sha256) && objectKey(sha256) === key ? sha256 : null;
}

/** Yields the content of a local file. Throws at its end unless its hash and size match. */
async function* verifyingStream(file: string, sha256: string, bytes: number): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
    yield chunk;
  }
  if (size !== bytes || hash.digest("hex") !== sha256)
    throw new WrongContent(`${file} is not the file of ${bytes} bytes with the hash ${sha256} any more.`);
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
