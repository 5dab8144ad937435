/** A waveform as BBC audiowaveform writes it: JSON, version 2, 8 bits, channels mixed into one. */
export interface Waveform {
  version: 2;
  channels: 1;
  sample_rate: number;
  samples_per_pixel: number;
  bits: 8;
  /** Points: half as many as numbers in `data`. */
  length: number;
  /** Minimum and maximum of each point, -128 to 127. */
  data: number[];
}

/** Points are kept as finely as their number allows, and are joined when there are more. */
const maxKept = 2 ** 18;

/** Collects extremes of audio whose length is not known yet. */
export class WaveformMeter {
  readonly #sampleRate: number;
  readonly #minima = new Int8Array(maxKept);
  readonly #maxima = new Int8Array(maxKept);
  /** Complete points, and the samples of each. */
  #kept = 0;
  #samplesOfKept = 1;
  /** The point that is being filled. */
  #samples = 0;
  #minimum = 127;
  #maximum = -128;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  add(mono: Float32Array): void {
    for (const sample of mono) {
      const level = Math.max(-128, Math.min(127, Math.trunc(sample * 128)));
      if (level < this.#minimum) this.#minimum = level;
      if (level > this.#maximum) this.#maximum = level;
      if (++this.#samples === this.#samplesOfKept) this.#keep();
    }
  }

  /** About as many points as wanted: within 4 % where there are 8 samples for each. Ends the measurement. */
  waveform(points: number): Waveform {
    if (this.#samples > 0) this.#keep();
    const joined = Math.max(1, Math.round(this.#kept / points));
    const length = Math.ceil(this.#kept / joined);
    const data = Array.from({ length }, (_, point) => {
      const [from, to] = [point * joined, Math.min(this.#kept, (point + 1) * joined)];
      return [Math.min(...this.#minima.subarray(from, to)), Math.max(...this.#maxima.subarray(from, to))];
    }).flat();
    return {
      version: 2,
      channels: 1,
      sample_rate: this.#sampleRate,
      samples_per_pixel: joined * this.#samplesOfKept,
      bits: 8,
      length,
      data,
    };
  }

  #keep(): void {
    this.#minima[this.#kept] = this.#minimum;
    this.#maxima[this.#kept] = this.#maximum;
    this.#kept++;
    this.#samples = 0;
    this.#minimum = 127;
    this.#maximum = -128;
    if (this.#kept === maxKept) this.#halve();
  }

  #halve(): void {
    for (let index = 0; index < maxKept / 2; index++) {
      const [a, b] = [2 * index, 2 * index + 1];
      this.#minima[index] = Math.min(this.#minima[a] ?? 0, this.#minima[b] ?? 0);
      this.#maxima[index] = Math.max(this.#maxima[a] ?? 0, this.#maxima[b] ?? 0);
    }
    this.#kept = maxKept / 2;
    this.#samplesOfKept *= 2;
  }
}
