import { crc32 } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { nameOther } from "../formats/other-formats.ts";
import { readHead, sniff } from "../formats/sniff.ts";
import { MediaTaskError, type Stems, unusable } from "../media-task.ts";
import { contentOf, headBytes } from "./contents.ts";
import { inflate64 } from "./inflate64.ts";
import { Layout } from "./layout.ts";
import { comparisonKey, entryPath, quotedName } from "./names.ts";
import { openZip } from "./zip-file.ts";

const maxFiles = 1000;
const maxUnpackedBytes = 10_000_000_000;
/** Applies only above `minBytesForRatio`, since a short file of silence has a high compression ratio too. */
const maxRatio = 200;
const minBytesForRatio = 100_000_000;
const stored = 0;
const deflate = 8;
const deflate64 = 9;
/** Names of refused methods (APPNOTE.TXT 4.4.5), for error messages. */
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
const noType = 0;
const folderType = 0o040000;
const fileType = 0o100000;

/**
 * Checks a ZIP file by unpacking it without writing. Buyers get an accepted file unchanged, so every program must
 * unpack the same files from it: only audio, MIDI and text, and only within its own folder.
 * @throws {MediaTaskError} if it is not a ZIP file, damaged, encrypted, packed by an uncommon method, too large,
 * ambiguous, unsafe to unpack, without audio, or has files of another kind
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
  throw unusable(`The stems are not a ZIP file${other === null ? "" : ` but ${other}`}: pack them into one.`);
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
      throw unusable(`The ZIP file has a folder with content, ${quotedName(path)}: pack the stems again.`);
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

/**
 * The paths of an archive. Refuses two paths that a file system may treat as the same, and a file that is also a
 * folder.
 */
class Names {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  add(path: string): void {
    const name = comparisonKey(path);
    const parents = name.split("/").map((_, index, parts) => parts.slice(0, index).join("/"));
    const isFolder = path.endsWith("/");
    const isTaken = this.#files.has(name) || (!isFolder && this.#folders.has(name));
    if (isTaken || parents.some((parent) => this.#files.has(parent)))
      throw unusable(`The ZIP file has a name twice, ${quotedName(path)}: rename one and pack the stems again.`);
    for (const parent of parents.slice(1)) this.#folders.add(parent);
    (isFolder ? this.#folders : this.#files).add(name);
    if (this.#files.size + this.#folders.size > 2 * maxFiles || this.#files.size > maxFiles)
      throw unusable(`The ZIP file has more than ${maxFiles} entries: pack the stems alone.`);
  }
}

function checkAttributes(entry: Entry, path: string): void {
  const type = (entry.externalFileAttributes >>> 16) & fileTypeBits;
  if (type !== noType && type !== folderType && type !== fileType)
    throw unusable(`The ZIP file has a link or another special file, ${quotedName(path)}: pack the files themselves.`);
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
  if (unpackedBytes > maxUnpackedBytes || (unpackedBytes > minBytesForRatio && unpackedBytes > packedBytes * maxRatio))
    throw unusable("The ZIP file unpacks to far more than stems need: pack the stems alone.");
}

/** Unpacks a file and checks its declared size and checksum. Returns its size and its first bytes. */
async function unpack(
  zip: ZipFile,
  entry: Entry,
  { path, check }: { path: string; check: (unpackedBytes: number) => void },
): Promise<{ bytes: number; head: Uint8Array }> {
  const damaged = () => unusable(`The ZIP file is damaged at ${quotedName(path)}: pack the stems again.`);
  const isPacked64 = entry.compressionMethod === deflate64;
  const stream = await zip.openReadStreamPromise(entry, isPacked64 ? { decodeFileData: false } : {});
  const maxHeadBytes = headBytes(path);
  const head: Uint8Array[] = [];
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const chunk of (isPacked64 ? inflate64(stream) : stream) as AsyncIterable<Uint8Array>) {
      if (bytes < maxHeadBytes) head.push(chunk.subarray(0, maxHeadBytes - bytes));
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
  return { bytes, head: Buffer.concat(head) };
}
