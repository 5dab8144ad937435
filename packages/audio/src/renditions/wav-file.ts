import { open } from "node:fs/promises";
import type { AudioBlock, AudioStream, Encoding } from "../formats/audio-stream.ts";
import { bytesOf } from "../formats/pcm.ts";
import { unusable } from "../media-task.ts";

/** The sample encodings of WAV. */
export type WavEncoding = "u8" | "s16le" | "s24le" | "s32le" | "f32le" | "f64le";

export interface WavSamples {
  encoding: WavEncoding;
  /** Interleaved. Each part has whole frames. */
  parts: AsyncIterable<Uint8Array>;
}

/** The bit depth of a WAV from a lossy original, because lossy formats have no bit depth. */
const decodedBits = 16;
const maxDataBytes = 0xffffffff - 64;

/**
 * The samples of a recording in an encoding of WAV. Samples of an uncompressed file keep their values; only their byte
 * order may change, and signed samples of 8 bits become unsigned. FLAC is decoded at its own bit depth, exactly up to
 * 24 bits. Lossy formats are decoded to 16 bits.
 */
export function wavSamples({ samples, blocks, bitDepth = decodedBits }: AudioStream): WavSamples {
  if (samples !== undefined) return { encoding: wavEncoding(samples.encoding), parts: reorder(samples) };
  const bits = Math.min(32, Math.ceil(bitDepth / 8) * 8);
  return { encoding: bits === 8 ? "u8" : (`s${bits}le` as WavEncoding), parts: quantize(blocks, bits) };
}

const wavEncoding = (encoding: Encoding): WavEncoding =>
  encoding === "s8" ? "u8" : (encoding.replace("be", "le") as WavEncoding);

async function* reorder({ encoding, parts }: NonNullable<AudioStream["samples"]>): AsyncGenerator<Uint8Array> {
  const size = bytesOf(encoding);
  for await (const part of parts) {
    if (encoding === "s8")
      for (let offset = 0; offset < part.length; offset++) part[offset] = (part[offset] as number) ^ 0x80;
    if (encoding.endsWith("be"))
      for (let position = 0; position < part.length; position += size)
        part.subarray(position, position + size).reverse();
    yield part;
  }
}

/** Rounds samples to integers of `bits` bits: unsigned up to 8 bits, as WAV requires. */
async function* quantize(blocks: AsyncIterable<AudioBlock>, bits: number): AsyncGenerator<Uint8Array> {
  const scale = 2 ** (bits - 1);
  const size = bits / 8;
  for await (const block of blocks) {
    const frames = block[0]?.length ?? 0;
    const part = Buffer.alloc(frames * block.length * size);
    for (let frame = 0, offset = 0; frame < frames; frame++)
      for (const samples of block) {
        const level = Math.max(-scale, Math.min(scale - 1, Math.round((samples[frame] as number) * scale)));
        if (size === 1) part[offset] = level + scale;
        else part.writeIntLE(level, offset, size);
        offset += size;
      }
    yield part;
  }
}

/** Writes a RIFF WAVE file with only the necessary chunks. Returns the size of the file. */
export async function writeWav(
  file: string,
  { encoding, parts }: WavSamples,
  { sampleRate, channels }: Pick<AudioStream, "sampleRate" | "channels">,
): Promise<number> {
  const output = await open(file, "w");
  try {
    const headBytes = wavHead({ encoding, sampleRate, channels, dataBytes: 0 }).length;
    let dataBytes = 0;
    for await (const part of parts) {
      await output.write(part, 0, part.length, headBytes + dataBytes);
      dataBytes += part.length;
      if (dataBytes > maxDataBytes) throw unusable("The recording is longer than a WAV file can be: 4 GB.");
    }
    const padding = dataBytes % 2;
    if (padding === 1) await output.write(Buffer.alloc(1), 0, 1, headBytes + dataBytes);
    const head = wavHead({ encoding, sampleRate, channels, dataBytes });
    await output.write(head, 0, head.length, 0);
    return head.length + dataBytes + padding;
  } finally {
    await output.close();
  }
}

interface WavShape {
  encoding: WavEncoding;
  sampleRate: number;
  channels: number;
  dataBytes: number;
}

function wavHead({ encoding, sampleRate, channels, dataBytes }: WavShape): Buffer {
  const isFloat = encoding.startsWith("f");
  const size = bytesOf(encoding);
  // Floating point requires a longer format chunk, and a fact chunk with the number of frames.
  const format = Buffer.alloc(isFloat ? 18 : 16);
  format.writeUInt16LE(isFloat ? 3 : 1, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * channels * size, 8);
  format.writeUInt16LE(channels * size, 12);
  format.writeUInt16LE(size * 8, 14);
  const fact = Buffer.alloc(4);
  fact.writeUInt32LE(dataBytes / (channels * size));
  const chunks = [chunkHead("fmt ", format.length), format, ...(isFloat ? [chunkHead("fact", 4), fact] : [])];
  const before = Buffer.concat([Buffer.from("WAVE"), ...chunks, chunkHead("data", dataBytes)]);
  return Buffer.concat([chunkHead("RIFF", before.length + dataBytes + (dataBytes % 2)), before]);
}

function chunkHead(name: string, bytes: number): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(bytes, 4);
  return head;
}
