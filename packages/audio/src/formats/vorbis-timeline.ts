import type { AudioBlock } from "./audio-stream.ts";
import { refuseTruncated } from "./faults.ts";

const framesOf = (block: AudioBlock): number => block[0]?.length ?? 0;

/**
 * Puts the decoded pages of a stream on the timeline of its granules (Vorbis I, A.2): drops what is before its beginning and
 * after its end. What a live stream sent begins anywhere.
 */
export class VorbisTimeline {
  readonly #sampleRate: number;
  /** Decoded since the last page but one that had a granule: its end may be cut off. */
  #held: AudioBlock[] = [];
  #decodedFrames = 0;
  /** The granule of the first decoded frame. */
  #start: number | null = null;
  #lastGranule = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /**
   * The blocks that are certain with one more page.
   * @throws {MediaTaskError} when pages are missing before it
   */
  add(block: AudioBlock | null, { granule, isLast }: { granule: number | null; isLast: boolean }): AudioBlock[] {
    const certain = granule === null || this.#start === null ? [] : this.#held.splice(0);
    if (block !== null) {
      this.#held.push(block);
      this.#decodedFrames += framesOf(block);
    }
    // Headers have the granule 0.
    if (granule === null || this.#decodedFrames === 0) return certain;
    if (this.#start === null) this.#begin(granule, isLast);
    this.#lastGranule = granule;
    const expected = granule - (this.#start as number);
    refuseTruncated("Ogg", { present: this.#decodedFrames, expected, tolerated: this.#sampleRate / 4 });
    return certain;
  }

  /** The rest of the blocks. */
  end(): AudioBlock[] {
    const rest = this.#held.splice(0);
    const excess = this.#start === null ? 0 : this.#decodedFrames - (this.#lastGranule - this.#start);
    const frames = rest.reduce((sum, block) => sum + framesOf(block), 0);
    return excess > 0 && excess < frames ? between(rest, 0, frames - excess) : rest;
  }

  #begin(granule: number, isLast: boolean): void {
    const early = this.#decodedFrames - granule;
    // In a single page, the end is cut off instead.
    this.#start = isLast && early > 0 ? 0 : -early;
    if (this.#start < 0) this.#held = between(this.#held, early, this.#decodedFrames);
  }
}

/** The frames of blocks from one to before another. */
function between(blocks: AudioBlock[], from: number, to: number): AudioBlock[] {
  let at = 0;
  return blocks.flatMap((block) => {
    const [start, end] = [Math.max(0, from - at), to - at];
    at += framesOf(block);
    return end <= start || start >= framesOf(block) ? [] : [block.map((samples) => samples.subarray(start, end))];
  });
}
