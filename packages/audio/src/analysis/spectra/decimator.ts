/** Taps of the low-pass filter on each side, in samples of the output. */
const reach = 8;
/** Pass band as a share of the output's Nyquist frequency. */
const passBand = 0.9;

/**
 * Lowers the sample rate by a whole factor: a windowed-sinc low-pass, of which only the samples that remain are computed.
 * Streamed: blocks of any length.
 */
export class Decimator {
  /** Samples per second of what `add` returns. */
  readonly sampleRate: number;
  readonly #factor: number;
  readonly #filter: Float32Array;
  /** The latest samples, as many as the filter has taps, and as many again so that it is seldom moved. */
  readonly #recent: Float32Array;
  #filled = 0;
  #next = 0;

  /** Comes as near to `targetRate` as a whole factor allows; a rate below is left as it is. */
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
    let written = 0;
    for (let from = 0; from < samples.length; from += room) {
      written = this.#addPart(samples.subarray(from, from + room), out, written);
    }
    return out.subarray(0, written);
  }

  /** Half a filter of the first sample keeps the output in time with the input, and a constant signal constant. */
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
    let written = before;
    for (; this.#next + filter.length <= this.#filled; this.#next += this.#factor) {
      let sum = 0;
      for (let tap = 0; tap < filter.length; tap++) sum += (filter[tap] ?? 0) * (recent[this.#next + tap] ?? 0);
      out[written++] = sum;
    }
    return written;
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
