import { crc32 } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { nameOther } from "../formats/other-formats.ts";
import { readHead, sniff } from "../formats/sniff.ts";
import { MediaTaskError, type Stems, unusable } from "../media-task.ts";
import { contentOf, headBytes } from "./contents.ts";
import { inflate64 } from "./inflate64.ts";
import { Layout } from "./layout.ts";
import { entryPath, sameFile, shown } from "./names.ts";
import { openZip } from "./zip-file.ts";

const maxFiles = 1000;
const maxUnpackedBytes = 10_000_000_000;
/** Silence in a WAV file packs well, so that the ratio counts only for what is large when it is unpacked. */
const maxRatio = 200;
const freeBytes = 100_000_000;
const stored = 0;
const deflate = 8;
const deflate64 = 9;
/** APPNOTE.TXT 4.4.5, of what programs offer. */
const methodNames: Record<number, string> = {
  1: "Shrink",
  6: "Implode",
  12: "BZIP2",
  14: "LZMA",
  93: "Zstandard",
  95: "XZ",
  98: "PPMd",
  99: "AES encryption",
};
const fileTypeBits = 0o170000;
const [noType, folderType, fileType] = [0, 0o040000, 0o100000];

/**
 * Unpacks a ZIP into nothing. What passes is sent to buyers as it is, so every program that unpacks it has to write the
 * same files, inside one folder, and nothing but audio, MIDI and text.
 * @throws {MediaTaskError} when it is no ZIP, damaged, encrypted, ambiguous, unsafe to unpack, or without audio
 */
export async function checkStems(input: string): Promise<Stems> {
  await checkType(input);
  let zip: ZipFile | null = null;
  try {
    zip = await openZip(input);
    return await checkEntries(zip);
  } catch (error) {
    if (error instanceof MediaTaskError) throw error;
    throw unusable("The ZIP file is damaged: pack the stems again.", error);
  } finally {
    zip?.close();
  }
}

async function checkType(input: string): Promise<void> {
  const head = await readHead(input);
  if (sniff(head) === "zip") return;
  if (head.length === 0) throw unusable("The ZIP file is empty: pack or upload the stems again.");
  if (/^(MZ|#!|PK)/.test(String.fromCharCode(...head.subarray(0, 2))))
    throw unusable("The stems are a program, or a part of a split ZIP file: pack them into a plain one.");
  const other = nameOther(head);
  throw unusable(`The stems are no ZIP file${other === null ? "" : ` but ${other}`}: pack them into one.`);
}

async function checkEntries(zip: ZipFile): Promise<Stems> {
  const names = new Names();
  const layout = new Layout();
  const stems: Stems = { files: 0, audioFiles: 0, bytes: 0 };
  const directoryStart = (zip as unknown as { readEntryCursor: number }).readEntryCursor;
  let packedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const path = entryPath(entry);
    names.add(path);
    const isFolder = path.endsWith("/");
    checkAttributes(entry, path);
    await layout.add(zip, entry, path);
    if (isFolder && entry.uncompressedSize > 0)
      throw unusable(`The ZIP file has a folder with content, ${shown(path)}: pack the stems again.`);
    if (isFolder) continue;
    packedBytes += entry.compressedSize;
    const content = await unpack(zip, entry, {
      path,
      check: (unpacked) => checkSize(stems.bytes + unpacked, packedBytes),
    });
    stems.files++;
    stems.bytes += content.bytes;
    if (contentOf(path, content) === "audio") stems.audioFiles++;
  }
  layout.check(directoryStart);
  if (stems.audioFiles === 0) throw unusable("The ZIP file has no audio in it: pack the stems as WAV, AIFF or FLAC.");
  return stems;
}

/** The paths of an archive: no two may be one file, and no file may be a folder. */
class Names {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  add(path: string): void {
    const name = sameFile(path);
    const parents = name.split("/").map((_, index, parts) => parts.slice(0, index).join("/"));
    const isFolder = path.endsWith("/");
    const isTaken = this.#files.has(name) || (!isFolder && this.#folders.has(name));
    if (isTaken || parents.some((parent) => this.#files.has(parent)))
      throw unusable(`The ZIP file has a name twice, ${shown(path)}: rename one and pack the stems again.`);
    for (const parent of parents.slice(1)) this.#folders.add(parent);
    (isFolder ? this.#folders : this.#files).add(name);
    if (this.#files.size + this.#folders.size > 2 * maxFiles || this.#files.size > maxFiles)
      throw unusable(`The ZIP file has more than ${maxFiles} entries: pack the stems alone.`);
  }
}

function checkAttributes(entry: Entry, path: string): void {
  const type = (entry.externalFileAttributes >>> 16) & fileTypeBits;
  if (type !== noType && type !== folderType && type !== fileType)
    throw unusable(`The ZIP file has a link or another special file, ${shown(path)}: pack the files themselves.`);
  if (entry.isEncrypted() || entry.compressionMethod === 99)
    throw unusable("The ZIP file is encrypted: pack the stems without a password.");
  const method = entry.compressionMethod;
  if (method !== stored && method !== deflate && method !== deflate64)
    throw unusable(
      `The ZIP file is compressed by ${methodNames[method] ?? `method ${method}`}, which few programs unpack: ` +
        "pack the stems again by Deflate, the standard method, or without compression.",
    );
}

function checkSize(unpackedBytes: number, packedBytes: number): void {
  if (unpackedBytes > maxUnpackedBytes || (unpackedBytes > freeBytes && unpackedBytes > packedBytes * maxRatio))
    throw unusable("The ZIP file unpacks to far more than stems need: pack the stems alone.");
}

/** Counts what a file really has, whatever is declared, and keeps its beginning. */
async function unpack(
  zip: ZipFile,
  entry: Entry,
  { path, check }: { path: string; check: (unpackedBytes: number) => void },
): Promise<{ bytes: number; head: Uint8Array }> {
  const damaged = () => unusable(`The ZIP file is damaged at ${shown(path)}: pack the stems again.`);
  const isPacked64 = entry.compressionMethod === deflate64;
  const stream = await zip.openReadStreamPromise(entry, isPacked64 ? { decodeFileData: false } : {});
  const keptBytes = headBytes(path);
  const kept: Uint8Array[] = [];
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of (isPacked64 ? inflate64(stream) : stream) as AsyncIterable<Uint8Array>) {
      if (bytes < keptBytes) kept.push(chunk.subarray(0, keptBytes - bytes));
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      check(bytes);
    }
  } catch (error) {
    throw error instanceof MediaTaskError ? error : damaged();
  } finally {
    stream.destroy();
  }
  if (checksum !== entry.crc32 || bytes !== entry.uncompressedSize) throw damaged();
  return { bytes, head: Buffer.concat(kept) };
}
