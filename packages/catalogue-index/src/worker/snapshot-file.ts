import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { makeInDataFolder } from "@beatmarket/postgres/embedded/data-folder.ts";
import type { SavedArrays } from "../engine/engine.ts";
import type { StreamPlace } from "./change-stream.ts";

// The file: a file signature (`mark`), length of the header, the header as JSON, the arrays one after another, and the
// CRC-32 of everything before it.

/** What a snapshot belongs to; a snapshot of another owner is not used. */
export interface SnapshotOwner {
  /** Digest of the code that reads and writes the snapshot. */
  program: string;
  cluster: string;
  database: string;
}

/** What distinguishes a snapshot from others, without its content. */
export interface SnapshotFacts {
  owner: SnapshotOwner;
  position: number;
  bytes: number;
  /** The CRC-32 of the file, in hex. */
  checksum: string;
}

export interface Snapshot {
  place: StreamPlace;
  /** When it was made, in milliseconds since 1970. */
  madeAtMs: number;
  arrays: SavedArrays;
}

interface Header {
  owner: SnapshotOwner;
  place: StreamPlace;
  madeAtMs: number;
  arrays: { name: string; type: ArrayType; length: number }[];
}

/** Why a file is not used; the message is a sentence without its full stop. */
export class UnusableSnapshot extends Error {
  override readonly name = "UnusableSnapshot";
}

/** The file of a snapshot in the data folder cannot be read or written. */
export class LocalFileError extends Error {
  override readonly name = "LocalFileError";
}

const types = { Uint8Array, Uint16Array, Uint32Array, Float64Array } as const;
type ArrayType = keyof typeof types;

const mark = Buffer.from("beatmarket index 1\n");
const prefixBytes = mark.length + 4;
const checksumBytes = 4;
const maxHeaderBytes = 1 << 20;
const chunkBytes = 8 << 20;
const draftSuffix = ".draft";

/** Reads a snapshot; returns null if there is no file. Throws UnusableSnapshot, or the file system's error. */
export const readSnapshot = (file: string, owner: SnapshotOwner): Snapshot | null =>
  readOwned(file, owner)?.snapshot ?? null;

export interface OwnedSnapshot {
  owner: SnapshotOwner;
  snapshot: Snapshot;
}

/** Like `readSnapshot`, with the owner. Checks only the named parts of the owner. */
export function readOwned(file: string, owner: Partial<SnapshotOwner>): OwnedSnapshot | null {
  const descriptor = openIfThere(file);
  if (descriptor === null) return null;
  try {
    return readFrom(descriptor, owner);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the facts of an open file, without its content. Throws UnusableSnapshot, or the file system's error. */
export function factsOf(descriptor: number): SnapshotFacts {
  const file = new CheckedFile(descriptor);
  const { owner, place } = readHeader(file);
  return { owner, position: place.position, bytes: file.size, checksum: hexOf(file.readEnd()) };
}

function readFrom(descriptor: number, owner: Partial<SnapshotOwner>): OwnedSnapshot {
  const file = new CheckedFile(descriptor);
  const header = readHeader(file);
  for (const [part, name] of [
    ["program", "another release"],
    ["cluster", "another PostgreSQL server"],
    ["database", "another database"],
  ] as const)
    if (owner[part] !== undefined && header.owner[part] !== owner[part]) throw new UnusableSnapshot(`it is of ${name}`);
  const lengths = header.arrays.map(({ type, length }) => length * types[type].BYTES_PER_ELEMENT);
  if (file.offset + lengths.reduce((sum, bytes) => sum + bytes, checksumBytes) !== file.size)
    throw new UnusableSnapshot("it is cut off");
  const arrays: SavedArrays = {};
  header.arrays.forEach(({ name, type }, n) => {
    arrays[name] = new types[type](file.read(lengths[n] as number).buffer);
  });
  if (file.readEnd() !== file.checksum) throw new UnusableSnapshot("its checksum is wrong");
  return { owner: header.owner, snapshot: { place: header.place, madeAtMs: header.madeAtMs, arrays } };
}

function readHeader(file: CheckedFile): Header {
  const prefix = file.read(prefixBytes);
  if (!prefix.subarray(0, mark.length).equals(mark))
    throw new UnusableSnapshot("it is of another release, or no snapshot");
  const headerBytes = prefix.readUInt32LE(mark.length);
  if (headerBytes > maxHeaderBytes) throw new UnusableSnapshot("it is damaged");
  return parseHeader(file.read(headerBytes));
}

/** An open file that is read from its beginning, with the CRC-32 of what was read. */
class CheckedFile {
  readonly size: number;
  offset = 0;
  checksum = 0;
  readonly #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.size = fstatSync(descriptor).size;
  }

  read(bytes: number): Buffer<ArrayBuffer> {
    const buffer = this.#readAt(this.offset, bytes);
    this.offset += bytes;
    this.checksum = crc32(buffer, this.checksum);
    return buffer;
  }

  /** Reads the checksum at the end of the file. */
  readEnd(): number {
    return this.#readAt(this.size - checksumBytes, checksumBytes).readUInt32LE();
  }

  #readAt(index: number, bytes: number): Buffer<ArrayBuffer> {
    if (index < 0 || index + bytes > this.size) throw new UnusableSnapshot("it is cut off");
    const buffer = Buffer.from(new ArrayBuffer(bytes));
    for (let filled = 0; filled < bytes; ) {
      const bytesRead = readSync(this.#descriptor, buffer, filled, Math.min(bytes - filled, 1 << 30), index + filled);
      if (bytesRead === 0) throw new UnusableSnapshot("it is cut off");
      filled += bytesRead;
    }
    return buffer;
  }
}

const hexOf = (checksum: number): string => checksum.toString(16).padStart(8, "0");

function parseHeader(bytes: Buffer): Header {
  try {
    const header = JSON.parse(bytes.toString()) as Header;
    const { program, cluster, database } = header.owner;
    const isSound =
      [program, cluster, database].every((part) => typeof part === "string") &&
      Number.isSafeInteger(header.place.position) &&
      header.arrays.every(
        ({ type, length }) => Object.hasOwn(types, type) && Number.isSafeInteger(length) && length >= 0,
      );
    if (isSound) return header;
  } catch {
    // The error below covers this case.
  }
  throw new UnusableSnapshot("it is damaged");
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export interface WriteOptions {
  /** Called when all arrays have been read and may change again. */
  onRead?: () => void;
  /** Called between two chunks; an error that it throws ends the writing. */
  check?: () => void;
}

/** Replaces the previous snapshot atomically. Throws the file system's error. */
export async function writeSnapshot(
  file: string,
  owner: SnapshotOwner,
  { place, madeAtMs, arrays }: Snapshot,
  { onRead = () => {}, check = () => {} }: WriteOptions = {},
): Promise<void> {
  const entries = Object.entries(arrays);
  const header: Header = {
    owner,
    place,
    madeAtMs,
    arrays: entries.map(([name, array]) => ({ name, type: array.constructor.name as ArrayType, length: array.length })),
  };
  const headerBytes = Buffer.from(JSON.stringify(header));
  const headerLength = Buffer.alloc(4);
  headerLength.writeUInt32LE(headerBytes.length);
  await replaceFile(file, async (handle) => {
    let checksum = 0;
    const write = async (bytes: Uint8Array): Promise<void> => {
      for (let from = 0; from < bytes.length; from += chunkBytes) {
        const chunk = bytes.subarray(from, from + chunkBytes);
        checksum = crc32(chunk, checksum);
        await writeAll(handle, chunk);
        check();
      }
    };
    await write(Buffer.concat([mark, headerLength, headerBytes]));
    for (const [, { buffer, byteOffset, byteLength }] of entries)
      await write(new Uint8Array(buffer, byteOffset, byteLength));
    onRead();
    const end = Buffer.alloc(checksumBytes);
    end.writeUInt32LE(checksum);
    await write(end);
    await handle.sync();
  });
  await syncFolder(dirname(file));
}

/**
 * Replaces the snapshot atomically by one that another instance wrote, unless `check` throws for its facts. Throws
 * UnusableSnapshot, LocalFileError, and the errors of `content`. The file is not synced: a start should not wait
 * for the disk, and the checksum shows whether a power failure damaged it.
 */
export async function receiveSnapshot(
  file: string,
  content: AsyncIterable<Buffer>,
  check: (facts: SnapshotFacts) => void,
): Promise<void> {
  let contentError: unknown;
  async function* receive(): AsyncGenerator<Buffer> {
    try {
      yield* content;
    } catch (error) {
      contentError = error;
      throw error;
    }
  }
  try {
    await replaceFile(file, async (handle) => {
      for await (const chunk of receive()) await writeAll(handle, chunk);
      check(factsOf(handle.fd));
    });
  } catch (error) {
    if (error === contentError || error instanceof UnusableSnapshot) throw error;
    const reason = (error as Error).message;
    throw new LocalFileError(`${file} could not be written: ${reason}`, { cause: error });
  }
}

async function replaceFile(file: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  await makeInDataFolder(dirname(dirname(file)), basename(dirname(file)));
  await removeDrafts(file);
  const draft = `${file}.${randomBytes(6).toString("hex")}${draftSuffix}`;
  const handle = await open(draft, "wx+", 0o600);
  try {
    await write(handle);
    await handle.close();
    await rename(draft, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += (await handle.write(bytes, written)).bytesWritten;
}

/** Removes the drafts that a killed process left. */
async function removeDrafts(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(file)}.`) && name.endsWith(draftSuffix))
      await rm(join(folder, name), { force: true });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}
