import type { AudioBlock } from "../../formats/audio-stream.ts";

// Integrated loudness of EBU R128 by ITU-R BS.1770-4: K-weighting, blocks of 400 ms every 100 ms, two gates.

/** Quieter blocks count as silence. Also the result for a silent file. */
const absoluteGateLufs = -70;
const relativeGateLu = -10;
const stepsPerSecond = 10;
const stepsPerBlock = 4;

/** The coefficients of a second-order filter, normalized to a0 = 1. */
interface Biquad {
  b0: number;
  b1: number;
  b2: number;
  a1: number;
  a2: number;
}

/** Measures the loudness of mono or stereo. Both channels have the same weight. */
export class LoudnessMeter {
  readonly #shelf: Biquad;
  readonly #highPass: Biquad;
  /** For each channel, the two delays of each filter. */
  readonly #delays: Float64Array[];
  readonly #stepFrames: number;
  #framesOfStep = 0;
  #energyOfStep = 0;
  /** The mean squares of each 100 ms, summed over the channels. */
  readonly #steps: number[] = [];

  constructor(sampleRate: number, channels: number) {
    this.#shelf = shelfAt(sampleRate);
    this.#highPass = highPassAt(sampleRate);
    this.#delays = Array.from({ length: channels }, () => new Float64Array(4));
    this.#stepFrames = Math.round(sampleRate / stepsPerSecond);
  }

  add(block: AudioBlock): void {
    const frames = block[0]?.length ?? 0;
    for (let from = 0; from < frames; ) {
      const to = Math.min(frames, from + this.#stepFrames - this.#framesOfStep);
      for (const [channel, samples] of block.entries())
        this.#energyOfStep += this.#weightedEnergy(samples, this.#delays[channel] as Float64Array, from, to);
      this.#framesOfStep += to - from;
      from = to;
      if (this.#framesOfStep < this.#stepFrames) continue;
      this.#steps.push(this.#energyOfStep / this.#stepFrames);
      this.#framesOfStep = 0;
      this.#energyOfStep = 0;
    }
  }

  /** The integrated loudness of all added samples in LUFS, at least -70. */
  integratedLufs(): number {
    const blocks = this.#steps.slice(stepsPerBlock - 1).map((step, index) => {
      const before = this.#steps.slice(index, index + stepsPerBlock - 1);
      return before.reduce((sum, energy) => sum + energy, step) / stepsPerBlock;
    });
    const audible = blocks.filter((energy) => lufsOf(energy) >= absoluteGateLufs);
    if (audible.length === 0) return absoluteGateLufs;
    const relativeGateLufs = lufsOf(mean(audible)) + relativeGateLu;
    return lufsOf(mean(audible.filter((energy) => lufsOf(energy) >= relativeGateLufs)));
  }

  /** The sum of the squares of the K-weighted samples. Both filters are in transposed direct form II. */
  #weightedEnergy(samples: Float32Array, delays: Float64Array, from: number, to: number): number {
    const { b0, b1, b2, a1, a2 } = this.#shelf;
    const { a1: c1, a2: c2 } = this.#highPass;
    let [s1 = 0, s2 = 0, h1 = 0, h2 = 0] = delays;
    let energy = 0;
    for (let index = from; index < to; index++) {
      const x = samples[index] as number;
      const y = b0 * x + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      // The high-pass has the zeros (1, -2, 1).
      const z = y + h1;
      h1 = -2 * y - c1 * z + h2;
      h2 = y - c2 * z;
      energy += z * z;
    }
    delays.set([s1, s2, h1, h2]);
    return energy;
  }
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const lufsOf = (energy: number): number => -0.691 + 10 * Math.log10(energy);

// The standard defines both filters for 48 kHz. These functions transform their analogue prototypes for any sample
// rate.
function shelfAt(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function highPassAt(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}
