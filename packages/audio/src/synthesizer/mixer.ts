import { decay, samplesIn } from "./samples.ts";

/**
 * Two channels of a loop. The sound after the end is added at the beginning, so that the loop repeats without a gap.
 */
export class Bus {
  readonly left: Float32Array;
  readonly right: Float32Array;

  constructor(frames: number) {
    this.left = new Float32Array(frames);
    this.right = new Float32Array(frames);
  }

  /** Adds a note that begins at this frame. `pan` goes from -1, left, to 1. */
  add(note: Float32Array, frame: number, level: number, pan: number): void {
    const { left, right } = this;
    const leftLevel = level * Math.cos(((pan + 1) * Math.PI) / 4) * Math.SQRT2;
    const rightLevel = level * Math.sin(((pan + 1) * Math.PI) / 4) * Math.SQRT2;
    let index = ((frame % left.length) + left.length) % left.length;
    for (let n = 0; n < note.length; n++) {
      const sample = note[n] ?? 0;
      left[index] = (left[index] ?? 0) + leftLevel * sample;
      right[index] = (right[index] ?? 0) + rightLevel * sample;
      index = index + 1 === left.length ? 0 : index + 1;
    }
  }

  addBus(other: Bus, level: number): void {
    addSamples(this.left, other.left, level);
    addSamples(this.right, other.right, level);
  }
}

function addSamples(sum: Float32Array, added: Float32Array, level: number): void {
  for (let n = 0; n < sum.length; n++) sum[n] = (sum[n] ?? 0) + level * (added[n] ?? 0);
}

/** Lowers the level of a bus at each of these frames, and raises it again within 0.4 seconds. */
export function duck({ left, right }: Bus, frames: readonly number[], depth: number): void {
  if (depth === 0) return;
  const back = decay(0.09);
  const attack = samplesIn(0.004);
  for (const frame of frames) {
    let lowered = depth;
    for (let n = -attack; n < samplesIn(0.4); n++) {
      const index = (frame + n + left.length) % left.length;
      const gain = 1 - (n < 0 ? (depth * (n + attack)) / attack : lowered);
      left[index] = (left[index] ?? 0) * gain;
      right[index] = (right[index] ?? 0) * gain;
      if (n >= 0) lowered *= back;
    }
  }
}

// Delays in samples, without common factors, so that their echoes do not coincide (Schroeder). The right channel has
// other delays.
const combs = { left: [1_687, 1_601, 2_053, 2_251], right: [1_721, 1_567, 2_089, 2_213] };
const allpasses = { left: [347, 113], right: [337, 127] };
const combFeedback = 0.8;
const allpassFeedback = 0.6;

/** The reverberation of a loop that repeats, so that its end continues at the beginning. */
export function roomOf(dry: Bus): Bus {
  const wet = new Bus(dry.left.length);
  for (const channel of ["left", "right"] as const) {
    for (const delay of combs[channel]) addComb(dry[channel], wet[channel], delay);
    for (const delay of allpasses[channel]) passAll(wet[channel], delay);
  }
  return wet;
}

// Computes two repetitions, and keeps the second.
function addComb(source: Float32Array, out: Float32Array, delay: number): void {
  const line = new Float32Array(delay);
  let index = 0;
  let soft = 0;
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < source.length; n++) {
      const echo = line[index] ?? 0;
      soft += 0.45 * (echo - soft);
      line[index] = (source[n] ?? 0) + combFeedback * soft;
      index = index + 1 === delay ? 0 : index + 1;
      if (round === 1) out[n] = (out[n] ?? 0) + 0.25 * echo;
    }
  }
}

function passAll(samples: Float32Array, delay: number): void {
  const line = new Float32Array(delay);
  let index = 0;
  for (let round = 0; round < 2; round++) {
    const last = round === 1;
    for (let n = 0; n < samples.length; n++) {
      const input = samples[n] ?? 0;
      const delayed = line[index] ?? 0;
      const output = delayed - allpassFeedback * input;
      line[index] = input + allpassFeedback * output;
      index = index + 1 === delay ? 0 : index + 1;
      if (last) samples[n] = output;
    }
  }
}

/** Scales a bus to the level `rms` (1 is full scale), and compresses its peaks so that no sample exceeds `peak`. */
export function master({ left, right }: Bus, rms: number, peak: number): void {
  let energy = 0;
  for (let n = 0; n < left.length; n++) energy += (left[n] ?? 0) ** 2 + (right[n] ?? 0) ** 2;
  const gain = rms / Math.sqrt(energy / (2 * left.length));
  for (const channel of [left, right])
    for (let n = 0; n < channel.length; n++) channel[n] = limitPeak(gain * (channel[n] ?? 0), peak);
}

// Linear up to half the peak, then with a decreasing slope.
function limitPeak(sample: number, peak: number): number {
  const knee = peak / 2;
  const size = Math.abs(sample);
  if (size <= knee) return sample;
  return Math.sign(sample) * (knee + (peak - knee) * Math.tanh((size - knee) / (peak - knee)));
}
