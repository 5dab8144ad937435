import type { AudioFormat } from "../media-task.ts";

/** The encoding of a sample: unsigned, signed or floating point, the number of bits, and the byte order. */
export type Encoding = "u8" | "s8" | `${"s16" | "s24" | "s32" | "f32" | "f64"}${"le" | "be"}`;

// The limits of the duration of a beat.
export const maxDurationSeconds = 20 * 60;
export const minDurationSeconds = 1;

/**
 * Samples between -1 and 1: an array for each channel, all of the same length. Valid until the next block is requested.
 */
export type AudioBlock = readonly Float32Array[];

/** A stream of decoded audio. Its memory does not depend on its length. */
export interface AudioStream {
  format: AudioFormat;
  /** Hertz. */
  sampleRate: number;
  channels: number;
  bitDepth?: number;
  /** Can be read once. Throws `MediaTaskError` if the file is damaged. */
  blocks: AsyncIterable<AudioBlock>;
  /** The original interleaved samples, to read instead of `blocks`. Absent for a compressed file. */
  samples?: RawSamples;
  /** Only for Ogg: the size of the audio data. Valid after all blocks were read. */
  encodedBytes?: () => number;
}

export interface RawSamples {
  encoding: Encoding;
  /** Each part has whole frames. */
  parts: AsyncIterable<Uint8Array>;
}
