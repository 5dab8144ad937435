import { unusable } from "../media-task.ts";
import type { AudioBlock, AudioStream, Encoding } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";

/** About 0.4 seconds. */
const blockFrames = 16_384;
/** 36 dB above full scale. Larger values are not audio. */
const maxSample = 64;

type ReadSample = (view: DataView, offset: number) => number;

const readers: Record<Encoding, ReadSample> = {
  u8: (view, offset) => (view.getUint8(offset) - 128) / 0x80,
  s8: (view, offset) => view.getInt8(offset) / 0x80,
  s16le: (view, offset) => view.getInt16(offset, true) / 0x8000,
  s16be: (view, offset) => view.getInt16(offset) / 0x8000,
  s24le: (view, offset) => ((view.getInt8(offset + 2) << 16) | view.getUint16(offset, true)) / 0x800000,
  s24be: (view, offset) => ((view.getInt8(offset) << 16) | view.getUint16(offset + 1)) / 0x800000,
  s32le: (view, offset) => view.getInt32(offset, true) / 0x80000000,
  s32be: (view, offset) => view.getInt32(offset) / 0x80000000,
  f32le: (view, offset) => view.getFloat32(offset, true),
  f32be: (view, offset) => view.getFloat32(offset),
  f64le: (view, offset) => view.getFloat64(offset, true),
  f64be: (view, offset) => view.getFloat64(offset),
};

export const bytesOf = (encoding: Encoding): number => Number(/\d+/.exec(encoding)?.[0]) / 8;

/** The layout of the samples in the next `bytes` of a file. */
interface PcmLayout {
  encoding: Encoding;
  channels: number;
  bytes: number;
  /** Absent if the samples fill their containers. */
  container?: Container;
}

/** A container that is larger than its sample. */
export interface Container {
  bytes: number;
  /** The number of bytes before the sample. */
  before: number;
}

/** The samples in the next `layout.bytes` of a file: decoded (`blocks`) or unchanged (`samples`). */
export const pcmSamples = (reader: ByteReader, layout: PcmLayout): Pick<AudioStream, "blocks" | "samples"> => ({
  blocks: pcmBlocks(reader, layout),
  samples: { encoding: layout.encoding, parts: pcmParts(reader, layout) },
});

async function* pcmParts(
  reader: ByteReader,
  { encoding, channels, bytes, container }: PcmLayout,
): AsyncGenerator<Uint8Array> {
  const sampleBytes = bytesOf(encoding);
  const frameBytes = (container?.bytes ?? sampleBytes) * channels;
  let remaining = bytes;
  while (remaining >= frameBytes) {
    const chunk = await reader.read(Math.min(remaining - (remaining % frameBytes), blockFrames * frameBytes));
    const wholeBytes = chunk.length - (chunk.length % frameBytes);
    if (wholeBytes === 0) return;
    remaining -= chunk.length;
    const frames = chunk.subarray(0, wholeBytes);
    yield container === undefined ? frames : removeContainers(frames, sampleBytes, container);
  }
}

/** Removes the unused bytes of the containers, in place. */
function removeContainers(part: Uint8Array, sampleBytes: number, container: Container): Uint8Array {
  let end = 0;
  for (let offset = container.before; offset < part.length; offset += container.bytes, end += sampleBytes)
    part.copyWithin(end, offset, offset + sampleBytes);
  return part.subarray(0, end);
}

async function* pcmBlocks(reader: ByteReader, layout: PcmLayout): AsyncGenerator<AudioBlock> {
  const { encoding, channels } = layout;
  const sampleBytes = bytesOf(encoding);
  const frameBytes = sampleBytes * channels;
  const readSample = readers[encoding];
  for await (const part of pcmParts(reader, layout)) {
    const frames = part.length / frameBytes;
    const view = new DataView(part.buffer, part.byteOffset, part.length);
    const block = Array.from({ length: channels }, (_, channel) => {
      const samples = new Float32Array(frames);
      for (let frame = 0, offset = channel * sampleBytes; frame < frames; frame++, offset += frameBytes)
        samples[frame] = readSample(view, offset);
      return samples;
    });
    if (encoding.startsWith("f")) refuseInvalidSamples(block);
    yield block;
  }
}

function refuseInvalidSamples(block: AudioBlock): void {
  // The comparison is also false for NaN.
  for (const samples of block)
    for (const sample of samples)
      if (!(Math.abs(sample) <= maxSample))
        throw unusable("The file has samples that are no audio: export it again, as WAV, FLAC or MP3.");
}
