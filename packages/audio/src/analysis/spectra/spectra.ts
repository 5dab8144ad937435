import FFT from "fft.js";

/**
 * Computes magnitude spectra of overlapping frames with a Hann window. Blocks may have any length. A frame with samples
 * that are not finite counts as silent.
 */
export class Spectra {
  readonly #fft: FFT;
  readonly #window: Float64Array;
  readonly #hop: number;
  readonly #onSpectrum: (magnitudes: Float64Array) => void;
  readonly #frame: Float32Array;
  readonly #windowed: Float64Array;
  readonly #complex: Float64Array;
  readonly #magnitudes: Float64Array;
  #filled = 0;

  /** `frameSize` is a power of two. `onSpectrum` gets bins 0 to frameSize / 2 in an array that is reused. */
  constructor(frameSize: number, hop: number, onSpectrum: (magnitudes: Float64Array) => void) {
    this.#fft = new FFT(frameSize);
    this.#hop = hop;
    this.#onSpectrum = onSpectrum;
    this.#window = Float64Array.from(
      { length: frameSize },
      (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / frameSize),
    );
    this.#frame = new Float32Array(frameSize);
    this.#windowed = new Float64Array(frameSize);
    this.#complex = new Float64Array(2 * frameSize);
    this.#magnitudes = new Float64Array(frameSize / 2 + 1);
  }

  add(samples: Float32Array): void {
    const frame = this.#frame;
    for (let from = 0; from < samples.length; ) {
      const part = samples.subarray(from, from + frame.length - this.#filled);
      frame.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
      if (this.#filled < frame.length) return;
      this.#transform();
      frame.copyWithin(0, this.#hop);
      this.#filled -= this.#hop;
    }
  }

  #transform(): void {
    const windowed = this.#windowed;
    const complex = this.#complex;
    for (let n = 0; n < windowed.length; n++) windowed[n] = (this.#window[n] ?? 0) * (this.#frame[n] ?? 0);
    this.#fft.realTransform(complex, windowed);
    const magnitudes = this.#magnitudes;
    let power = 0;
    for (let bin = 0; bin < magnitudes.length; bin++) {
      const real = complex[2 * bin] ?? 0;
      const imaginary = complex[2 * bin + 1] ?? 0;
      const binPower = real * real + imaginary * imaginary;
      power += binPower;
      magnitudes[bin] = Math.sqrt(binPower);
    }
    if (!Number.isFinite(power)) magnitudes.fill(0);
    this.#onSpectrum(magnitudes);
  }
}
