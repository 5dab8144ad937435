import type { AudioBlock } from "../../formats/audio-stream.ts";

/** The largest sample of 16 bits. */
const fullScale = 0x7fff / 0x8000;
/** The minimum number of consecutive samples at full scale that count as clipped. A shorter run may be a true peak. */
const minClippedRun = 3;
/** -60 dBFS. */
const silence = 0.001;

/** Counts clipped samples, and measures the silence at both ends. */
export class Extremes {
  #frames = 0;
  #clippedSamples = 0;
  /** For each channel, the current number of consecutive samples at full scale. */
  readonly #runs: number[];
  #firstSound: number | null = null;
  #lastSound = 0;

  constructor(channels: number) {
    this.#runs = Array.from({ length: channels }, () => 0);
  }

  add(block: AudioBlock): void {
    for (const [channel, samples] of block.entries()) {
      let run = this.#runs[channel] ?? 0;
      for (let index = 0; index < samples.length; index++) {
        const level = Math.abs(samples[index] as number);
        if (level > silence) {
          const frame = this.#frames + index;
          this.#firstSound = Math.min(this.#firstSound ?? frame, frame);
          if (frame > this.#lastSound) this.#lastSound = frame;
        }
        if (level < fullScale) run = 0;
        else if (++run === minClippedRun) this.#clippedSamples += minClippedRun;
        else if (run > minClippedRun) this.#clippedSamples++;
      }
      this.#runs[channel] = run;
    }
    this.#frames += block[0]?.length ?? 0;
  }

  get frames(): number {
    return this.#frames;
  }

  get clippedSamples(): number {
    return this.#clippedSamples;
  }

  /** The number of silent frames at each end. Null if the whole file is silent. */
  get silentFrames(): { start: number; end: number } | null {
    if (this.#firstSound === null) return null;
    return { start: this.#firstSound, end: this.#frames - 1 - this.#lastSound };
  }
}
