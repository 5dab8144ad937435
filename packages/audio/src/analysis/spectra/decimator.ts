/** The reach of the low-pass filter on each side, in samples of the output. */
const reach = 8;
/** The pass band as a share of the output's Nyquist frequency. */
const passBand = 0.9;

/**
 * Lowers the sample rate by an integer factor with a windowed-sinc low-pass filter. Computes only the output samples.
 * Blocks may have any length.
 */
export class Decimator {
  /** The sample rate of the output. */
  readonly sampleRate: number;
  readonly #factor: number;
  readonly #filter: Float32Array;
  /** The latest samples. Larger than the filter, so that its content is seldom moved. */
  readonly #recent: Float32Array;
  #filled = 0;
  #next = 0;

  /** The factor is the integer nearest to `sampleRate / targetRate`. Does not change a lower rate. */
  constructor(sampleRate: number, targetRate: number) {
    this.#factor = Math.max(1, Math.round(sampleRate / targetRate));
    this.sampleRate = sampleRate / this.#factor;
    this.#filter = lowPass(this.#factor);
    this.#recent = new Float32Array(this.#filter.length * 2 + 8_192);
  }

  add(samples: Float32Array): Float32Array {
    if (this.#factor === 1) return samples;
    if (this.#filled === 0 && samples.length > 0) this.#begin(samples[0] ?? 0);
    const out = new Float32Array(Math.ceil((samples.length + this.#filter.length) / this.#factor) + 1);
    const room = this.#recent.length - this.#filter.length;
    let count = 0;
    for (let from = 0; from < samples.length; from += room) {
      count = this.#addPart(samples.subarray(from, from + room), out, count);
    }
    return out.subarray(0, count);
  }

  /**
   * Fills half of the filter with the first sample. Thus the output has no delay, and a constant signal stays constant.
   */
  #begin(first: number): void {
    this.#filled = (this.#filter.length - 1) / 2;
    this.#recent.fill(first, 0, this.#filled);
  }

  #addPart(samples: Float32Array, out: Float32Array, before: number): number {
    const recent = this.#recent;
    const filter = this.#filter;
    if (this.#filled + samples.length > recent.length) {
      recent.copyWithin(0, this.#next, this.#filled);
      this.#filled -= this.#next;
      this.#next = 0;
    }
    recent.set(samples, this.#filled);
    this.#filled += samples.length;
    let count = before;
    for (; this.#next + filter.length <= this.#filled; this.#next += this.#factor) {
      let sum = 0;
      for (let tap = 0; tap < filter.length; tap++) sum += (filter[tap] ?? 0) * (recent[this.#next + tap] ?? 0);
      out[count++] = sum;
    }
    return count;
  }
}

function lowPass(factor: number): Float32Array {
  const middle = reach * factor;
  const taps = Float32Array.from({ length: 2 * middle + 1 }, (_, tap) => {
    const turns = ((tap - middle) * passBand) / factor;
    const sinc = turns === 0 ? 1 : Math.sin(Math.PI * turns) / (Math.PI * turns);
    return sinc * (0.54 + 0.46 * Math.cos((Math.PI * (tap - middle)) / (middle + 1)));
  });
  const gain = taps.reduce((sum, tap) => sum + tap, 0);
  return taps.map((tap) => tap / gain);
}
