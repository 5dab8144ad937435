import { crc32, deflateSync } from "node:zlib";
import yazl from "yazl";
import { chunk } from "./audio-files.ts";

// Small files that would take much memory, time or disk space.

const wavHead = Buffer.concat([Buffer.from("RIFF\xff\xff\xff\xffWAVE", "latin1")]);

/** A WAV file that has only empty chunks. */
export const endlessChunks = (count: number): Buffer => Buffer.concat([wavHead, Buffer.alloc(8 * count)]);

/** A FLAC file that has only metadata blocks, none of them with the flag of the last block. */
export const endlessMetadata = (count: number): Buffer =>
  Buffer.concat([Buffer.from("fLaC"), ...Array.from({ length: count }, () => Buffer.of(1, 0, 0, 0))]);

/** A sequence of empty ID3v2 tags. */
export const endlessTags = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => Buffer.from("ID3\x04\0\0\0\0\0\0", "latin1")));

/** A PNG of a few kilobytes whose rows are all zeros. */
export function png(width: number, height: number, { isDeepAndInterlaced = false } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(isDeepAndInterlaced ? [16, 6, 0, 0, 1] : [8, 2], 8);
  const rows = deflateSync(Buffer.alloc(Math.min(height * (width * 3 + 1), 30_000_000)));
  const part = (name: string, body: Buffer): Buffer => {
    const content = Buffer.concat([Buffer.from(name), body]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    check.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, check]);
  };
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    part("IHDR", header),
    part("IDAT", rows),
    part("IEND", Buffer.alloc(0)),
  ]);
}

/** An extended WebP whose bitstream is larger than its canvas. */
export function webpWithinCanvas(width: number, height: number): Buffer {
  const canvas = Buffer.alloc(10);
  const bitstream = Buffer.alloc(10);
  bitstream.set([0x9d, 0x01, 0x2a], 3);
  bitstream.writeUInt16LE(width, 6);
  bitstream.writeUInt16LE(height, 8);
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), chunk("VP8X", canvas), chunk("VP8 ", bitstream)]));
}

/** A ZIP file of these files, by name. */
export async function zip(files: Record<string, Buffer>, { compress = true } = {}): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const [name, bytes] of Object.entries(files)) file.addBuffer(bytes, name, { compress });
  file.end();
  const parts: Buffer[] = [];
  for await (const part of file.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
