import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";

/** A stored file, with its name in the archive. */
interface ArchivedFile {
  filename: string;
  sha256: string;
  bytes: number;
}

/** The methods of `StoredObjects` that an archive needs. */
export interface ArchiveObjects {
  open(sha256: string, range?: ByteRange): Promise<Readable>;
  head(sha256: string): Promise<{ bytes: number } | null>;
  checksum(sha256: string): Promise<number>;
}

/**
 * A ZIP of stored files. Its bytes are always the same, and its size and ETag are computed without reading the files.
 */
export class ZipArchive {
  readonly files: readonly ArchivedFile[];
  readonly #modifiedAt: Date;

  /** `at` is the modification time of the entries. */
  constructor(files: readonly ArchivedFile[], at: Date) {
    this.files = files;
    this.#modifiedAt = at;
  }

  get bytes(): number {
    return this.#parts(this.files.map(() => 0)).reduce((sum, part) => sum + sizeOf(part), 0);
  }

  get etag(): string {
    const names = this.files.map(({ filename, sha256 }) => [filename, sha256]);
    return `"${createHash("sha256")
      .update(JSON.stringify([this.#modifiedAt, names]))
      .digest("hex")}"`;
  }

  /** Opens the bytes of a range. Throws MissingFile before the first byte. Holds only one chunk in memory. */
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
    const entries = this.files.map(({ filename, bytes }, index) => ({
      name: filename,
      bytes,
      crc32: checksums[index] ?? 0,
    }));
    return zipParts(entries, this.#modifiedAt);
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

/** The error for a file that is missing in the storage or has another size. */
export class MissingFile extends Error {
  override readonly name = "MissingFile";

  constructor(sha256: string) {
    super(`There is no object ${sha256} of the right size.`);
  }
}

/** A file in a ZIP. */
export interface ZipEntry {
  name: string;
  bytes: number;
  /** The CRC-32 of the content, as an unsigned number of 32 bits. */
  crc32: number;
}

/** Bytes of the ZIP in order: headers of the format, or the content of an entry. */
type ZipPart = Buffer | ZipEntry;

const max16 = 0xffff;
const max32 = 0xffffffff;
/** The flag that says that names are in UTF-8. */
const utf8Names = 0x0800;
// The version of the format that a reader must support, times ten.
const withoutZip64 = 20;
const withZip64 = 45;

/**
 * The parts of a ZIP with uncompressed entries (APPNOTE.TXT 6.3.10). The same entries and time give the same bytes. The
 * size of the ZIP depends only on the names and sizes of the entries. ZIP64 fields are written only if a size, an
 * offset or the number of entries needs them.
 */
export function zipParts(entries: readonly ZipEntry[], modifiedAt: Date): ZipPart[] {
  const time = dosTime(modifiedAt);
  const parts: ZipPart[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const header = localHeader(entry, time);
    directory.push(directoryHeader(entry, time, offset));
    parts.push(header, entry);
    offset += header.length + entry.bytes;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  return [...parts, Buffer.concat([...directory, directoryEnd({ count: entries.length, size, offset })])];
}

export const sizeOf = (part: ZipPart): number => (Buffer.isBuffer(part) ? part.length : part.bytes);

/**
 * Encodes a time with a precision of two seconds, clamped to the years 1980 to 2107. Uses UTC, so that the bytes are
 * the same on every server.
 */
function dosTime(moment: Date): Buffer {
  const year = Math.min(Math.max(moment.getUTCFullYear(), 1980), 2107);
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  const date = ((year - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();
  return Buffer.concat([u16(time), u16(date)]);
}

/** The fields of both headers of an entry, from the flags to the length of the extra field. */
const headerFields = ({ name, bytes, crc32 }: ZipEntry, time: Buffer, extraBytes: number): Buffer[] => [
  u16(utf8Names),
  u16(0),
  time,
  u32(crc32),
  u32(Math.min(bytes, max32)),
  u32(Math.min(bytes, max32)),
  u16(Buffer.byteLength(name)),
  u16(extraBytes),
];

function localHeader(entry: ZipEntry, time: Buffer): Buffer {
  const extra = entry.bytes >= max32 ? zip64Extra([entry.bytes, entry.bytes]) : Buffer.alloc(0);
  return Buffer.concat([
    u32(0x04034b50),
    u16(extra.length > 0 ? withZip64 : withoutZip64),
    ...headerFields(entry, time, extra.length),
    Buffer.from(entry.name),
    extra,
  ]);
}

function directoryHeader(entry: ZipEntry, time: Buffer, offset: number): Buffer {
  const large = [...(entry.bytes >= max32 ? [entry.bytes, entry.bytes] : []), ...(offset >= max32 ? [offset] : [])];
  const extra = large.length > 0 ? zip64Extra(large) : Buffer.alloc(0);
  const version = large.length > 0 ? withZip64 : withoutZip64;
  return Buffer.concat([
    u32(0x02014b50),
    // Made by Unix, so that the mode below is used.
    u16((3 << 8) | version),
    u16(version),
    ...headerFields(entry, time, extra.length),
    u16(0),
    u16(0),
    u16(0),
    // A regular file that its owner may write and everyone may read.
    u32((0o100644 << 16) >>> 0),
    u32(Math.min(offset, max32)),
    Buffer.from(entry.name),
    extra,
  ]);
}

function directoryEnd({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
  const end = [
    u32(0x06054b50),
    u16(0),
    u16(0),
    u16(Math.min(count, max16)),
    u16(Math.min(count, max16)),
    u32(Math.min(size, max32)),
    u32(Math.min(offset, max32)),
    u16(0),
  ];
  if (offset < max32 && size < max32 && count < max16) return Buffer.concat(end);
  const zip64End = [u32(0x06064b50), u64(44), u16((3 << 8) | withZip64), u16(withZip64), u32(0), u32(0)];
  const locator = [u32(0x07064b50), u32(0), u64(offset + size), u32(1)];
  return Buffer.concat([...zip64End, u64(count), u64(count), u64(size), u64(offset), ...locator, ...end]);
}

const zip64Extra = (values: readonly number[]): Buffer =>
  Buffer.concat([u16(1), u16(values.length * 8), ...values.map(u64)]);

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
