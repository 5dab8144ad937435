import type { AudioBlock } from "../formats/audio-stream.ts";

/** The number of zero crossings of the sinc on each side of its centre. */
const lobes = 16;
/** The pass band as a share of the lower Nyquist frequency. The rest is the transition band. */
const passband = 0.95;
const kaiserBeta = 9;

/** Changes the sample rate by a polyphase filter: a Kaiser-windowed sinc for each phase between two input samples. */
export class Resampler {
  readonly #step: number;
  readonly #phases: Float64Array[];
  readonly #taps: number;
  /** For each channel, the input samples that are still needed. */
  #windows: Float32Array[];
  /**
   * The position of the next output sample from the start of the windows, in input samples times the number of phases.
   */
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
    // The filter of the first output sample is centred at the first input sample.
    this.#windows = Array.from({ length: channels }, () => new Float32Array(half - 1));
  }

  add(block: AudioBlock): AudioBlock {
    this.#framesIn += block[0]?.length ?? 0;
    return this.#push(block);
  }

  /** The rest of the output. The whole output then has the same duration as the input. */
  flush(): AudioBlock {
    const remaining = Math.round((this.#framesIn * this.#phases.length) / this.#step) - this.#framesOut;
    const padding = this.#windows.map(() => new Float32Array(this.#taps));
    return this.#push(padding).map((samples) => samples.subarray(0, remaining));
  }

  #push(block: AudioBlock): AudioBlock {
    this.#windows = this.#windows.map((window, channel) => join(window, block[channel] as Float32Array));
    const available = (this.#windows[0]?.length ?? 0) - this.#taps;
    const phases = this.#phases.length;
    const count = Math.max(0, Math.floor((available * phases - this.#position) / this.#step) + 1);
    const resampled = this.#windows.map((window) => {
      const output = new Float32Array(count);
      for (let index = 0; index < count; index++) {
        const position = this.#position + index * this.#step;
        const start = Math.floor(position / phases);
        const filter = this.#phases[position % phases] as Float64Array;
        let sum = 0;
        for (let tap = 0; tap < filter.length; tap++) sum += (filter[tap] as number) * (window[start + tap] as number);
        output[index] = sum;
      }
      return output;
    });
    this.#framesOut += count;
    const next = this.#position + count * this.#step;
    const consumedSamples = Math.min(Math.floor(next / phases), this.#windows[0]?.length ?? 0);
    this.#position = next - consumedSamples * phases;
    this.#windows = this.#windows.map((window) => window.slice(consumedSamples));
    return resampled;
  }
}

/** The filter for a position at `fraction` between the two middle samples. Its sum is 1. */
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
  const result = new Float32Array(a.length + b.length);
  result.set(a);
  result.set(b, a.length);
  return result;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
