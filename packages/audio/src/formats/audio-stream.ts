import type { AudioFormat } from "../media-task.ts";

/** How one sample is written: unsigned, signed or floating point, its bits, and the order of its bytes. */
export type Encoding = "u8" | "s8" | `${"s16" | "s24" | "s32" | "f32" | "f64"}${"le" | "be"}`;

/** A beat lasts at most so long, and at least a second. */
export const maxDurationSeconds = 20 * 60;
export const minDurationSeconds = 1;

/** Samples between -1 and 1, one array for each channel, all of one length. Valid until the next block is asked for. */
export type AudioBlock = readonly Float32Array[];

/** Audio while it is decoded. Memory does not grow with its length. */
export interface AudioStream {
  format: AudioFormat;
  /** Hertz. */
  sampleRate: number;
  channels: number;
  bitDepth?: number;
  /** To be read once. Throws `MediaTaskError` where the file is damaged. */
  blocks: AsyncIterable<AudioBlock>;
  /** The samples as they stand in the file, interleaved: to be read instead of the blocks. Absent where they are packed. */
  samples?: RawSamples;
  /** Of Ogg: the bytes that the samples were made of, once all blocks are read. */
  encodedBytes?: () => number;
}

export interface RawSamples {
  encoding: Encoding;
  /** Of whole frames each. */
  parts: AsyncIterable<Uint8Array>;
}
