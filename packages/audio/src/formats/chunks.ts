import { ascii, type ByteReader } from "./byte-reader.ts";

// Parses the chunks of RIFF (little-endian), IFF (big-endian) and Sony Wave64, which has GUIDs as names and 64-bit
// sizes.

export type ChunkForm = "riff" | "iff" | "wave64";

export interface Chunk {
  name: string;
  /** The size of the body in the chunk's header. */
  bytes: number;
}

const maxChunks = 1000;
const wave64HeadBytes = 24;
const name = /^[ -~]{4}$/;
/** Names that hardly occur by chance. */
const commonNames = new Set(["fmt ", "data", "fact", "LIST", "bext", "JUNK", "id3 ", "COMM", "SSND", "FVER", "COMT"]);

/** Reads the chunks from the reader's position. At each chunk the reader is at the start of its body. */
export async function* readChunks(reader: ByteReader, form: ChunkForm): AsyncGenerator<Chunk> {
  for (let chunks = 0; chunks < maxChunks; chunks++) {
    const header = await reader.view(form === "wave64" ? wave64HeadBytes : 8);
    if (header === null) return;
    const chunk = { name: ascii(header, 0, 4), bytes: announcedBytes(header, form) };
    const start = reader.position;
    yield chunk;
    reader.position = start + chunk.bytes;
    if (form === "wave64") reader.position = Math.ceil(reader.position / 8) * 8;
    else if (chunk.bytes % 2 === 1) await skipPadding(reader);
  }
}

function announcedBytes(header: DataView, form: ChunkForm): number {
  if (form !== "wave64") return header.getUint32(4, form === "riff");
  const bytes = Number(header.getBigUint64(16, true));
  return isPlaceholder(bytes) ? bytes : Math.max(0, bytes - wave64HeadBytes);
}

/** A byte of padding follows a body of odd size. Some programs omit it, so this checks where the next name begins. */
async function skipPadding(reader: ByteReader): Promise<void> {
  const end = reader.position;
  const next = await reader.view(5);
  reader.position = end + 1;
  if (next === null) return;
  const unpadded = ascii(next, 0, 4);
  const padded = ascii(next, 1, 4);
  if (commonNames.has(unpadded) || (name.test(unpadded) && !name.test(padded))) reader.position = end;
}

/**
 * Whether a size is a placeholder of a program that cannot go back to write it: 0, or about the maximum of 31, 32, 63
 * or 64 bits.
 */
export const isPlaceholder = (size: number): boolean =>
  size === 0 || Math.abs(size - 2 ** 31) <= 2 ** 25 || Math.abs(size - 2 ** 32) <= 2 ** 25 || size >= 2 ** 62;

/** The size of a body: the announced size; the rest of the file if that is 0, or a placeholder beyond the end. */
export const availableBytes = (announced: number, remaining: number): number =>
  isPlaceholder(announced) && (announced === 0 || announced > remaining) ? remaining : announced;
