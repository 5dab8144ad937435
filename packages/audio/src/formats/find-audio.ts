import type { ByteReader } from "./byte-reader.ts";
import { findFrames, framesHeadBytes } from "./find-frames.ts";
import { type FileType, sniff, sniffedBytes } from "./sniff.ts";

const maxTags = 10;
const tagHeaderBytes = 10;

/**
 * Detects the type of a file and the offset of its content: after ID3v2 tags, or at the first two consecutive frames of
 * MP3 or AAC. Returns null for a type that is not accepted.
 */
export async function findAudio(reader: ByteReader): Promise<{ type: FileType; offset: number } | null> {
  let offset = 0;
  for (let tags = 0; tags < maxTags; tags++) {
    const head = await readAt(reader, offset, sniffedBytes);
    const tagBytes = readTagBytes(head);
    if (tagBytes === null) return identify(reader, head, offset);
    offset += tagBytes;
  }
  return null;
}

async function identify(reader: ByteReader, head: Uint8Array, offset: number) {
  const type = sniff(head);
  // A single frame sync may occur by chance.
  const isSync = head[0] === 0xff && (type === "mp3" || type === "m4a");
  if (type !== null && !isSync) return { type, offset };
  // A tag may be longer or shorter than its header says.
  for (const start of new Set([offset, 0])) {
    const frames = findFrames(await readAt(reader, start, framesHeadBytes));
    if (frames !== null) return { type: frames.type, offset: start + frames.offset };
  }
  if (type !== null) return { type, offset };
  // Only MP3 files usually begin with an ID3v2 tag. The error of the MP3 decoder is then the best reason.
  return offset > 0 ? { type: "mp3" as const, offset } : null;
}

/** The size of an ID3v2 tag, including its header and footer. Null if there is no tag. */
function readTagBytes(head: Uint8Array): number | null {
  if (head.length <= tagHeaderBytes || head[0] !== 0x49 || head[1] !== 0x44 || head[2] !== 0x33) return null;
  // The size has seven bits in each byte.
  const [flags = 0, a = 0, b = 0, c = 0, d = 0] = head.subarray(5, tagHeaderBytes);
  const footerBytes = (flags & 0x10) === 0 ? 0 : tagHeaderBytes;
  const bodyBytes = (a % 128) * 2 ** 21 + (b % 128) * 2 ** 14 + (c % 128) * 2 ** 7 + (d % 128);
  return tagHeaderBytes + bodyBytes + footerBytes;
}

async function readAt(reader: ByteReader, offset: number, bytes: number): Promise<Uint8Array> {
  reader.position = offset;
  return reader.read(bytes);
}
