import type { AudioBlock } from "../formats/audio-stream.ts";

/** Zero crossings of the sinc on each side of its centre. */
const lobes = 16;
/** Of the lower Nyquist frequency; the rest is the filter's slope. */
const passband = 0.95;
const kaiserBeta = 9;

/** Changes the sample rate by a polyphase filter: a Kaiser-windowed sinc of its own for each place between two samples. */
export class Resampler {
  readonly #step: number;
  readonly #phases: Float64Array[];
  readonly #taps: number;
  /** Of each channel: samples that are still needed. */
  #windows: Float32Array[];
  /** The place of the next output, in samples of the input from the start of the windows, times the output phases. */
  #position = 0;
  #framesIn = 0;
  #framesOut = 0;

  constructor(from: number, to: number, channels: number) {
    const divisor = greatestCommonDivisor(from, to);
    const phases = to / divisor;
    this.#step = from / divisor;
    const cutoff = Math.min(1, to / from) * passband;
    const half = Math.ceil(lobes / Math.min(1, to / from));
    this.#taps = 2 * half;
    this.#phases = Array.from({ length: phases }, (_, phase) => sincOf(phase / phases, half, cutoff));
    // The first output is made around the first sample.
    this.#windows = Array.from({ length: channels }, () => new Float32Array(half - 1));
  }

  add(block: AudioBlock): AudioBlock {
    this.#framesIn += block[0]?.length ?? 0;
    return this.#push(block);
  }

  /** What the last samples result in; then as much has come out as went in, in seconds. */
  flush(): AudioBlock {
    const missing = Math.round((this.#framesIn * this.#phases.length) / this.#step) - this.#framesOut;
    const padding = this.#windows.map(() => new Float32Array(this.#taps));
    return this.#push(padding).map((samples) => samples.subarray(0, missing));
  }

  #push(block: AudioBlock): AudioBlock {
    this.#windows = this.#windows.map((window, channel) => join(window, block[channel] as Float32Array));
    const available = (this.#windows[0]?.length ?? 0) - this.#taps;
    const phases = this.#phases.length;
    const count = Math.max(0, Math.floor((available * phases - this.#position) / this.#step) + 1);
    const resampled = this.#windows.map((window) => {
      const output = new Float32Array(count);
      for (let index = 0; index < count; index++) {
        const place = this.#position + index * this.#step;
        const start = Math.floor(place / phases);
        const filter = this.#phases[place % phases] as Float64Array;
        let sum = 0;
        for (let tap = 0; tap < filter.length; tap++) sum += (filter[tap] as number) * (window[start + tap] as number);
        output[index] = sum;
      }
      return output;
    });
    this.#framesOut += count;
    const next = this.#position + count * this.#step;
    const done = Math.min(Math.floor(next / phases), this.#windows[0]?.length ?? 0);
    this.#position = next - done * phases;
    this.#windows = this.#windows.map((window) => window.slice(done));
    return resampled;
  }
}

/** The filter for a place between the two samples in its middle; its sum is 1. */
function sincOf(fraction: number, half: number, cutoff: number): Float64Array {
  const filter = Float64Array.from({ length: 2 * half }, (_, tap) => {
    const x = tap - (half - 1) - fraction;
    const angle = Math.PI * x * cutoff;
    const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
    return sinc * bessel(kaiserBeta * Math.sqrt(Math.max(0, 1 - (x / half) ** 2)));
  });
  const sum = filter.reduce((total, value) => total + value, 0);
  return filter.map((value) => value / sum);
}

/** The modified Bessel function of the first kind and order zero. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function join(a: Float32Array, b: Float32Array): Float32Array {
  const joined = new Float32Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
