import type { AudioFormat } from "../media-task.ts";

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
}
