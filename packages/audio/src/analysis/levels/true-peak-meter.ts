import type { AudioBlock } from "../../formats/audio-stream.ts";

// True peak by ITU-R BS.1770-4, annex 2: the highest value between the samples, computed by oversampling.

const oversampling = 4;
/** The number of samples from which each value between two samples is interpolated. */
const taps = 13;
/** From this sample rate on, oversampling is not necessary. */
const denseSampleRate = 176_400;

/** A windowed sinc (Hann): a filter for each of the three positions between two samples. */
const phases = Array.from({ length: oversampling - 1 }, (_, phase) =>
  Float64Array.from({ length: taps }, (_, tap) => {
    const position = tap * oversampling + phase + 1;
    const length = (taps - 1) * oversampling;
    if (position > length) return 0;
    const x = ((position - length / 2) * Math.PI) / oversampling;
    return (Math.sin(x) / x) * 0.5 * (1 - Math.cos((2 * Math.PI * position) / length));
  }),
);

export class TruePeakMeter {
  #peak = 0;
  readonly #isDense: boolean;
  /** For each channel, the last samples of the previous block, followed by space for the next block. */
  readonly #windows: Float32Array[];

  constructor(sampleRate: number, channels: number) {
    this.#isDense = sampleRate >= denseSampleRate;
    this.#windows = Array.from({ length: channels }, () => new Float32Array(taps - 1));
  }

  add(block: AudioBlock): void {
    for (const [channel, samples] of block.entries()) {
      for (const sample of samples) if (Math.abs(sample) > this.#peak) this.#peak = Math.abs(sample);
      if (!this.#isDense) this.#addBetween(samples, channel);
    }
  }

  /** The true peak of all added samples in dBTP. -Infinity for silence. */
  truePeakDbtp(): number {
    return 20 * Math.log10(this.#peak);
  }

  #addBetween(samples: Float32Array, channel: number): void {
    const history = taps - 1;
    let window = this.#windows[channel] as Float32Array;
    if (window.length < history + samples.length) {
      const larger = new Float32Array(history + samples.length);
      larger.set(window.subarray(0, history));
      window = larger;
      this.#windows[channel] = window;
    }
    window.set(samples, history);
    let peak = this.#peak;
    for (const phase of phases)
      for (let newest = history; newest < history + samples.length; newest++) {
        let sum = 0;
        for (let tap = 0; tap < taps; tap++) sum += (phase[tap] as number) * (window[newest - tap] as number);
        if (Math.abs(sum) > peak) peak = Math.abs(sum);
      }
    this.#peak = peak;
    window.copyWithin(0, samples.length, samples.length + history);
  }
}
