import { FLACDecoder } from "@wasm-audio-decoders/flac";
import { unusable } from "../media-task.ts";
import type { AudioBlock, AudioStream } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";
import { damaged } from "./faults.ts";
import { type FlacFrame, flacFrames } from "./flac-frames.ts";
import { withLengthCheck } from "./with-length-check.ts";

// RFC 9639. Metadata blocks except STREAMINFO, such as pictures, are skipped and never decoded.

const maxMetadataBlocks = 1000;
const streamInfoBytes = 34;
/** Samples per channel that are decoded together. */
const batchSamples = 32_768;

interface Shape {
  info: DataView;
  sampleRate: number;
  channels: number;
  bitDepth: number;
  /** Samples per channel. 0 if the encoder did not know the number. */
  frames: number;
}

export async function openFlac(reader: ByteReader): Promise<AudioStream> {
  const info = await readStreamInfo(reader);
  const fields = info.getUint32(10);
  const sampleRate = fields >>> 12;
  const channels = ((fields >>> 9) & 7) + 1;
  const frames = (info.getUint8(13) & 0x0f) * 2 ** 32 + info.getUint32(14);
  const bitDepth = ((fields >>> 4) & 0x1f) + 1;
  const blocks = decodedBlocks(reader, { info, sampleRate, channels, bitDepth, frames });
  return {
    format: "flac",
    sampleRate,
    channels,
    bitDepth,
    blocks: frames === 0 ? blocks : withLengthCheck("FLAC", blocks, { expected: frames, tolerance: 0 }),
  };
}

async function* decodedBlocks(reader: ByteReader, shape: Shape): AsyncGenerator<AudioBlock> {
  const decoder = await openDecoder(shape);
  try {
    const isWhole = (frame: FlacFrame) => canDecode(frame, shape);
    let batch: FlacFrame[] = [];
    let samples = 0;
    for await (const frame of flacFrames(reader, { isWhole, isLengthKnown: shape.frames > 0 })) {
      batch.push(frame);
      samples += frame.samples;
      if (samples < batchSamples) continue;
      yield await decode(decoder, batch, shape);
      batch = [];
      samples = 0;
    }
    if (batch.length > 0) yield await decode(decoder, batch, shape);
  } finally {
    decoder.free();
  }
}

async function openDecoder({ info }: Shape): Promise<FLACDecoder> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  // Frames may omit their sample rate and bit depth. The decoder then uses the values of STREAMINFO.
  await decoder.decodeFrames([streamHead(info)]);
  return decoder;
}

/** Uses a new decoder, since a decoder keeps bytes that it could not decode, and expects frames in order. */
async function canDecode({ bytes, samples }: FlacFrame, shape: Shape): Promise<boolean> {
  const decoder = await openDecoder(shape);
  try {
    const { samplesDecoded, errors } = await decoder.decodeFrames([bytes]);
    return samplesDecoded === samples && errors.length === 0;
  } finally {
    decoder.free();
  }
}

/**
 * Decodes frames. The decoder divides by the largest sample instead of full scale, so its samples are slightly too
 * loud. Rounding them to integers restores the samples of the file, up to 24 bits.
 */
async function decode(decoder: FLACDecoder, frames: FlacFrame[], shape: Shape): Promise<AudioBlock> {
  const { channelData, samplesDecoded, sampleRate, errors } = await decoder.decodeFrames(
    frames.map(({ bytes }) => bytes),
  );
  const expected = frames.reduce((sum, { samples }) => sum + samples, 0);
  if (errors.length > 0 || samplesDecoded !== expected)
    throw damaged("FLAC", "its samples cannot be decoded", errors[0]?.message);
  if (sampleRate !== shape.sampleRate || channelData.length !== shape.channels)
    throw unusable("The file changes its sample rate or channels on the way: export it again, as WAV, FLAC or MP3.");
  const fullScale = 2 ** (shape.bitDepth - 1);
  return channelData.map((samples) => samples.map((sample) => Math.round(sample * (fullScale - 1)) / fullScale));
}

/** Reads all metadata blocks. Returns STREAMINFO. */
async function readStreamInfo(reader: ByteReader): Promise<DataView> {
  await reader.read(4);
  let info: DataView | null = null;
  for (let blocks = 0; blocks < maxMetadataBlocks; blocks++) {
    const header = await reader.view(4);
    if (header === null) break;
    const type = header.getUint8(0) & 0x7f;
    const size = header.getUint32(0) & 0xffffff;
    const next = reader.position + size;
    if (type === 0 && size === streamInfoBytes) info = await reader.view(size);
    reader.position = next;
    if (header.getUint8(0) >= 0x80) {
      if (info === null) break;
      return info;
    }
  }
  throw damaged("FLAC", "its header is cut off");
}

/** The start of a FLAC stream, with STREAMINFO as the only metadata block. */
function streamHead(info: DataView): Uint8Array {
  const head = new Uint8Array(8 + streamInfoBytes);
  head.set([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, streamInfoBytes]);
  head.set(new Uint8Array(info.buffer, info.byteOffset, streamInfoBytes), 8);
  return head;
}
