import type { AudioBlock } from "./audio-stream.ts";
import { refuseTruncated } from "./faults.ts";

const framesOf = (block: AudioBlock): number => block[0]?.length ?? 0;

/**
 * Trims the decoded pages of a stream by their granule positions (Vorbis I, A.2): drops frames before position 0 and
 * after the last position. The positions of a recorded live stream do not start at 0.
 */
export class VorbisTimeline {
  readonly #sampleRate: number;
  /** Blocks that may still be trimmed. A page with a granule position makes all blocks of earlier pages final. */
  #pending: AudioBlock[] = [];
  #decodedFrames = 0;
  /** The granule position of the first decoded frame. */
  #start: number | null = null;
  #lastGranule = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /**
   * Adds the decoded block of a page. Returns the blocks that can no longer be trimmed.
   * @throws {MediaTaskError} if pages before this page are missing
   */
  add(block: AudioBlock | null, { granule, isLast }: { granule: number | null; isLast: boolean }): AudioBlock[] {
    const final = granule === null || this.#start === null ? [] : this.#pending.splice(0);
    if (block !== null) {
      this.#pending.push(block);
      this.#decodedFrames += framesOf(block);
    }
    // The pages of the headers have position 0.
    if (granule === null || this.#decodedFrames === 0) return final;
    if (this.#start === null) this.#begin(granule, isLast);
    this.#lastGranule = granule;
    const expected = granule - (this.#start as number);
    refuseTruncated("Ogg", { available: this.#decodedFrames, expected, tolerance: this.#sampleRate / 4 });
    return final;
  }

  /** Ends the stream. Returns the remaining blocks. */
  end(): AudioBlock[] {
    const pending = this.#pending.splice(0);
    const excess = this.#start === null ? 0 : this.#decodedFrames - (this.#lastGranule - this.#start);
    const frames = pending.reduce((sum, block) => sum + framesOf(block), 0);
    return excess > 0 && excess < frames ? slice(pending, 0, frames - excess) : pending;
  }

  #begin(granule: number, isLast: boolean): void {
    const early = this.#decodedFrames - granule;
    // If the stream has a single page, its end is trimmed instead.
    this.#start = isLast && early > 0 ? 0 : -early;
    if (this.#start < 0) this.#pending = slice(this.#pending, early, this.#decodedFrames);
  }
}

/** The frames of all blocks from index `from` to before index `to`. */
function slice(blocks: AudioBlock[], from: number, to: number): AudioBlock[] {
  let frame = 0;
  return blocks.flatMap((block) => {
    const start = Math.max(0, from - frame);
    const end = to - frame;
    frame += framesOf(block);
    return end <= start || start >= framesOf(block) ? [] : [block.map((samples) => samples.subarray(start, end))];
  });
}
