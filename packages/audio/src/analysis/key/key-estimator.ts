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
/** The minimum fit of a key. Drums and noise fit worse. */
const minFit = 0.5;
/** From this lead over the second best key on, the confidence equals the fit. Without a lead it is half the fit. */
const clearLead = 0.2;

/**
 * Estimates the key of streamed samples. Compares their harmonic pitch class profile with profiles of electronic dance
 * music (Faraldo 2017). See docs/analysis.md for the method and its accuracy. Memory: one frame, and a sum for each
 * tenth of a semitone.
 */
export class KeyEstimator {
  readonly #decimator: Decimator;
  readonly #spectra: Spectra;
  readonly #pitchClasses: PitchClasses;

  /** `sampleRate` is the sample rate of the blocks in hertz. */
  constructor(sampleRate: number) {
    this.#decimator = new Decimator(sampleRate, analysedRate);
    const pitchClasses = new PitchClasses(this.#decimator.sampleRate / frameSize);
    this.#pitchClasses = pitchClasses;
    this.#spectra = new Spectra(frameSize, hop, (magnitudes) => pitchClasses.add(magnitudes));
  }

  /** Adds samples of one channel, or the mean of several channels. Blocks may have any length. */
  add(mono: Float32Array): void {
    this.#spectra.add(this.#decimator.add(mono));
  }

  /**
   * The key of all added samples as in musical-key.ts, such as "C# minor". The alternative is the second best key. Null
   * if there are no tones, or if no key fits. No samples can be added afterwards.
   */
  result(): Estimate<string> | null {
    this.#spectra.add(new Float32Array(frameSize));
    const profile = this.#pitchClasses.profile();
    if (profile === null) return null;
    const [best, second] = keyFits(profile) as [KeyFit, KeyFit];
    if (best.fit < minFit) return null;
    const confidence = best.fit * Math.min(1, 0.5 + (0.5 * (best.fit - second.fit)) / clearLead);
    return { value: nameOf(best), confidence: Number(confidence.toFixed(2)), alternative: nameOf(second) };
  }
}

const nameOf = ({ tonic, mode }: KeyFit): string => parseKey(String(tonic), mode).key;
