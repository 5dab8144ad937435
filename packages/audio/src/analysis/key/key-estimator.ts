import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import type { Estimate } from "../../media-task.ts";
import { Decimator } from "../spectra/decimator.ts";
import { Spectra } from "../spectra/spectra.ts";
import { type KeyFit, keyFits } from "./key-profiles.ts";
import { PitchClasses } from "./pitch-classes.ts";

const analysedRate = 11_025;
/** 0.37 s. */
const frameSize = 4_096;
const hop = 2_048;
/** A key that fits worse is chance: drums and noise. */
const leastFit = 0.5;
/** By how much a key must fit better than the next to be certain. */
const clearLead = 0.2;

/**
 * Estimates one key for streamed samples: a harmonic pitch class profile against profiles of electronic dance music
 * (Faraldo 2017). docs/analysis.md has the method and its accuracy. Keeps one frame and a sum for each tenth of a half tone.
 */
export class KeyEstimator {
  readonly #decimator: Decimator;
  readonly #spectra: Spectra;
  readonly #pitchClasses: PitchClasses;

  /** `sampleRate` in hertz, of the blocks that follow. */
  constructor(sampleRate: number) {
    this.#decimator = new Decimator(sampleRate, analysedRate);
    const pitchClasses = new PitchClasses(this.#decimator.sampleRate / frameSize);
    this.#pitchClasses = pitchClasses;
    this.#spectra = new Spectra(frameSize, hop, (magnitudes) => pitchClasses.add(magnitudes));
  }

  /** Samples of one channel, or the mean of several, in blocks of any length. */
  add(mono: Float32Array): void {
    this.#spectra.add(this.#decimator.add(mono));
  }

  /**
   * The key of what was added as musical-key.ts writes it, "C# minor". The alternative is the key that fits second best.
   * Null where no tones sound, or none that make a key. Nothing can be added afterwards.
   */
  result(): Estimate<string> | null {
    this.#spectra.add(new Float32Array(frameSize));
    const profile = this.#pitchClasses.profile();
    if (profile === null) return null;
    const [best, second] = keyFits(profile) as [KeyFit, KeyFit];
    if (best.fit < leastFit) return null;
    const confidence = best.fit * Math.min(1, 0.5 + (0.5 * (best.fit - second.fit)) / clearLead);
    return { value: nameOf(best), confidence: Number(confidence.toFixed(2)), alternative: nameOf(second) };
  }
}

const nameOf = ({ tonic, mode }: KeyFit): string => parseKey(String(tonic), mode).key;
