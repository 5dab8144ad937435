import { open } from "node:fs/promises";
import type { AudioFormat } from "../media-task.ts";

export type FileType = AudioFormat | "png" | "jpeg" | "webp" | "zip";

/** The number of bytes that `sniff` needs. */
export const sniffedBytes = 64;

/** The GUID at the start of Sony Wave64, without its first four bytes. */
const wave64 = "\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0";

/** Detects the type of a file by its first bytes. Returns null for a type that is not accepted. */
export function sniff(head: Uint8Array): FileType | null {
  const ascii = (start: number, length: number) => String.fromCharCode(...head.subarray(start, start + length));
  const first = ascii(0, 4);
  const form = ascii(8, 4);
  if ((first === "RIFF" || first === "RF64" || first === "BW64") && form === "WAVE") return "wav";
  if (first === "riff" && ascii(4, 12) === wave64) return "wav";
  if (first === "FORM" && (form === "AIFF" || form === "AIFC")) return "aiff";
  if (first === "fLaC") return "flac";
  if (first === "OggS") return "ogg";
  if (ascii(4, 4) === "ftyp") return "m4a";
  if (first === "RIFF" && form === "WEBP") return "webp";
  if (first === "\x89PNG") return "png";
  // An archive that begins with a file, and an empty archive.
  if (first === "PK\x03\x04" || first === "PK\x05\x06") return "zip";
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return "jpeg";
  if (ascii(0, 3) === "ID3") return "mp3";
  // MP3: the frame sync, layer III, and valid codes of bit rate and sample rate. An AAC stream has layer 0.
  const [sync = 0, version = 0, rates = 0] = head;
  const isLayer3 = sync === 0xff && (version & 0xe6) === 0xe2 && (version & 0x18) !== 0x08;
  if (isLayer3 && (rates & 0xf0) !== 0xf0 && (rates & 0x0c) !== 0x0c) return "mp3";
  if (sync === 0xff && (version & 0xf6) === 0xf0) return "m4a";
  return null;
}

/** Reads the first bytes of a file, for `sniff`. */
export async function readHead(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(sniffedBytes), 0, sniffedBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
