/** A waveform in the format of BBC audiowaveform: JSON, version 2, 8 bits, channels mixed into one. */
export interface Waveform {
  version: 2;
  channels: 1;
  sample_rate: number;
  samples_per_pixel: number;
  bits: 8;
  /** The number of points, which is half the length of `data`. */
  length: number;
  /** The minimum and maximum of each point, -128 to 127. */
  data: number[];
}

/** The maximum number of collected points. When it is reached, neighbouring points are merged in pairs. */
const maxPoints = 2 ** 18;

/** Collects the waveform of audio of unknown length. */
export class WaveformMeter {
  readonly #sampleRate: number;
  readonly #minima = new Int8Array(maxPoints);
  readonly #maxima = new Int8Array(maxPoints);
  #pointCount = 0;
  #samplesPerPoint = 1;
  // The current point.
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
      if (++this.#samples === this.#samplesPerPoint) this.#addPoint();
    }
  }

  /**
   * The waveform with about `points` points: within 7 % if there are at least 8 samples per point. No samples can be
   * added afterwards.
   */
  waveform(points: number): Waveform {
    if (this.#samples > 0) this.#addPoint();
    const merged = Math.max(1, Math.round(this.#pointCount / points));
    const length = Math.ceil(this.#pointCount / merged);
    const data = Array.from({ length }, (_, point) => {
      const from = point * merged;
      const to = Math.min(this.#pointCount, (point + 1) * merged);
      return [Math.min(...this.#minima.subarray(from, to)), Math.max(...this.#maxima.subarray(from, to))];
    }).flat();
    return {
      version: 2,
      channels: 1,
      sample_rate: this.#sampleRate,
      samples_per_pixel: merged * this.#samplesPerPoint,
      bits: 8,
      length,
      data,
    };
  }

  #addPoint(): void {
    this.#minima[this.#pointCount] = this.#minimum;
    this.#maxima[this.#pointCount] = this.#maximum;
    this.#pointCount++;
    this.#samples = 0;
    this.#minimum = 127;
    this.#maximum = -128;
    if (this.#pointCount === maxPoints) this.#mergePoints();
  }

  #mergePoints(): void {
    for (let index = 0; index < maxPoints / 2; index++) {
      const a = 2 * index;
      const b = 2 * index + 1;
      this.#minima[index] = Math.min(this.#minima[a] ?? 0, this.#minima[b] ?? 0);
      this.#maxima[index] = Math.max(this.#maxima[a] ?? 0, this.#maxima[b] ?? 0);
    }
    this.#pointCount = maxPoints / 2;
    this.#samplesPerPoint *= 2;
  }
}
