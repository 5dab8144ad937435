import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { sniff, sniffedBytes, sniffFile } from "../formats/sniff.ts";
import { MediaTaskError, type Stems, unusable } from "../media-task.ts";

const maxFiles = 1000;
const maxUnpackedBytes = 10_000_000_000;
/** Silence in a WAV file packs well, so that the ratio counts only for what is large when it is unpacked. */
const maxRatio = 200;
const freeBytes = 100_000_000;
const audioTypes = new Set(["wav", "aiff", "flac", "mp3", "ogg", "m4a"]);
const symbolicLink = 0o120000;
const fileTypeBits = 0o170000;

/**
 * Unpacks a ZIP into nothing: the names, the real sizes, and that some of its files are audio.
 * @throws {MediaTaskError} when it is no ZIP, damaged, encrypted, unsafe to unpack, or without audio
 */
export async function checkStems(input: string): Promise<Stems> {
  if ((await sniffFile(input)) !== "zip") throw unusable("The stems are no ZIP file: pack them into one.");
  let zip: ZipFile | null = null;
  try {
    zip = await openPromise(input, { strictFileNames: true });
    return await checkEntries(zip);
  } catch (error) {
    if (error instanceof MediaTaskError) throw error;
    throw unusable("The ZIP file is damaged or has unsafe names of files: pack the stems again.", error);
  } finally {
    zip?.close();
  }
}

async function checkEntries(zip: ZipFile): Promise<Stems> {
  const names = new Set<string>();
  const stems: Stems = { files: 0, audioFiles: 0, bytes: 0 };
  let packedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    checkName(entry, names);
    if (names.size > maxFiles) throw unusable(`The ZIP file has more than ${maxFiles} entries: pack the stems alone.`);
    if (entry.fileName.endsWith("/")) continue;
    if (entry.isEncrypted()) throw unusable("The ZIP file is encrypted: pack the stems without a password.");
    packedBytes += entry.compressedSize;
    const { bytes, head } = await unpack(zip, entry, (unpacked) => checkSize(stems.bytes + unpacked, packedBytes));
    stems.files++;
    stems.bytes += bytes;
    if (audioTypes.has(sniff(head) ?? "")) stems.audioFiles++;
  }
  if (stems.audioFiles === 0) throw unusable("The ZIP file has no audio in it: pack the stems as WAV, AIFF or FLAC.");
  return stems;
}

/** The reader of ZIP files has refused absolute names, backslashes and "..". */
function checkName(entry: Entry, names: Set<string>): void {
  const { fileName, externalFileAttributes } = entry;
  if (names.has(fileName)) throw unusable("The ZIP file has a name twice: pack the stems again.");
  names.add(fileName);
  if (((externalFileAttributes >>> 16) & fileTypeBits) === symbolicLink)
    throw unusable("The ZIP file has symbolic links: pack the files themselves.");
}

function checkSize(unpackedBytes: number, packedBytes: number): void {
  if (unpackedBytes > maxUnpackedBytes || (unpackedBytes > freeBytes && unpackedBytes > packedBytes * maxRatio))
    throw unusable("The ZIP file unpacks to far more than stems need: pack the stems alone.");
}

/** Counts what a file really has, whatever is declared, and keeps its first bytes. */
async function unpack(
  zip: ZipFile,
  entry: Entry,
  check: (unpackedBytes: number) => void,
): Promise<{ bytes: number; head: Uint8Array }> {
  const stream = await zip.openReadStreamPromise(entry);
  let bytes = 0;
  let checksum = 0;
  let head: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (head.length < sniffedBytes) head = Buffer.concat([head, chunk.subarray(0, sniffedBytes)]);
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      check(bytes);
    }
    if (checksum !== entry.crc32) throw unusable("The ZIP file is damaged: pack the stems again.");
    return { bytes, head };
  } finally {
    stream.destroy();
  }
}
