import { Decimator } from "../spectra/decimator.ts";
import { Spectra } from "../spectra/spectra.ts";

const analysedRate = 22_050;
/** Values per second: one every 2.9 ms, as in Percival & Tzanetakis. */
const targetFrameRate = 345;
const frameSeconds = 0.0232;
/** Magnitudes are compressed to log(1 + compression × share of full scale), so that soft onsets count, too. */
const compression = 1_000;
/** The cutoff frequency of the smoothing. Faster changes belong to a single onset, not to the rhythm. */
const smoothHertz = 7;
const smoothSeconds = 0.0435;

/**
 * Onset strength: the increase of the spectrum from frame to frame (Percival & Tzanetakis 2014, section II-A). A file
 * shorter than `repeatSeconds` is treated as a loop: its samples are repeated to that length.
 */
export class OnsetStrength {
  /** Values per second. */
  readonly frameRate: number;
  readonly #decimator: Decimator;
  readonly #spectra: Spectra;
  readonly #bins: number;
  readonly #loop: Float32Array;
  readonly #logs: Float64Array;
  #values = new Float32Array(1 << 14);
  #length = 0;
  #samples = 0;
  #isRepeated = false;

  constructor(sampleRate: number, repeatSeconds: number) {
    this.#decimator = new Decimator(sampleRate, analysedRate);
    const rate = this.#decimator.sampleRate;
    const hop = Math.max(1, Math.round(rate / targetFrameRate));
    const frameSize = 2 ** Math.round(Math.log2(rate * frameSeconds));
    this.frameRate = rate / hop;
    this.#bins = frameSize / 2 + 1;
    this.#logs = new Float64Array(this.#bins);
    this.#loop = new Float32Array(Math.ceil(repeatSeconds * rate));
    this.#spectra = new Spectra(frameSize, hop, (magnitudes) => this.#addSpectrum(magnitudes, compression / frameSize));
  }

  /** The duration of the file, without repetitions. */
  get seconds(): number {
    return this.#samples / this.#decimator.sampleRate;
  }

  add(mono: Float32Array): void {
    const samples = this.#decimator.add(mono);
    const room = this.#loop.length - this.#samples;
    if (room > 0) this.#loop.set(samples.subarray(0, room), this.#samples);
    this.#samples += samples.length;
    this.#spectra.add(samples);
  }

  /** Ends the file and returns the smoothed values. No samples can be added afterwards. */
  finish(): Float32Array {
    const loop = this.#loop.subarray(0, this.#samples);
    if (!this.#isRepeated && loop.length > 0) {
      for (let repeated = loop.length; repeated < this.#loop.length; repeated += loop.length) {
        this.#spectra.add(loop.subarray(0, this.#loop.length - repeated));
      }
    }
    this.#isRepeated = true;
    return smooth(this.#values.subarray(0, this.#length), this.frameRate);
  }

  #addSpectrum(magnitudes: Float64Array, gain: number): void {
    const logs = this.#logs;
    const isFirst = this.#length === 0;
    let rise = 0;
    for (let bin = 0; bin < this.#bins; bin++) {
      const log = Math.log(1 + gain * (magnitudes[bin] ?? 0));
      const difference = log - (logs[bin] ?? 0);
      if (difference > 0) rise += difference;
      logs[bin] = log;
    }
    if (this.#length === this.#values.length) {
      const longer = new Float32Array(2 * this.#length);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.#length++] = isFirst ? 0 : rise;
  }
}

function smooth(values: Float32Array, frameRate: number): Float32Array {
  const reach = Math.max(1, Math.round((smoothSeconds * frameRate - 1) / 2));
  const taps = Float64Array.from({ length: 2 * reach + 1 }, (_, tap) => {
    const turns = ((tap - reach) * 2 * smoothHertz) / frameRate;
    const sinc = turns === 0 ? 1 : Math.sin(Math.PI * turns) / (Math.PI * turns);
    return sinc * (0.54 + 0.46 * Math.cos((Math.PI * (tap - reach)) / (reach + 0.5)));
  });
  const gain = taps.reduce((sum, tap) => sum + tap, 0);
  const smoothed = new Float32Array(values.length);
  for (let n = 0; n < values.length; n++) {
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap++) sum += (taps[tap] ?? 0) * (values[n + tap - reach] ?? 0);
    smoothed[n] = sum / gain;
  }
  return smoothed;
}
