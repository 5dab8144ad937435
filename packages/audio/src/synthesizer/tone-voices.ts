import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { decay, finished, sampleRate, samplesIn, sine } from "./samples.ts";

// The tuned instruments of the rendered loops. Each function returns the samples of one note, with a peak of 1.

/** `seconds` is the time until the key is released. Some instruments sound for longer. */
export type ToneVoice = (hertz: number, seconds: number) => Float32Array;

/** Partials as multiples of the pitch, each with its level and the time in which it falls to 1/e. */
type Partial = readonly [multiple: number, level: number, fallSeconds: number];

const additive =
  (partials: readonly Partial[], attackSeconds: number, ringSeconds: number): ToneVoice =>
  (hertz, seconds) => {
    const note = new Float32Array(samplesIn(seconds + ringSeconds));
    for (const [multiple, share, fallSeconds] of partials) {
      const step = (hertz * multiple) / sampleRate;
      if (step > 0.4) continue;
      const fall = decay(fallSeconds);
      let level = share;
      for (let n = 0; n < note.length; n++) {
        note[n] = (note[n] ?? 0) + level * sine(n * step);
        level *= fall;
      }
    }
    return finished(note, attackSeconds, ringSeconds);
  };

/** A tone whose phase another tone modulates: bells and electric pianos. */
const frequencyModulated =
  (ratio: number, depth: number, depthFallSeconds: number, fallSeconds: number): ToneVoice =>
  (hertz, seconds) => {
    const note = new Float32Array(samplesIn(seconds + 0.12));
    const fall = decay(fallSeconds);
    const bendFall = decay(depthFallSeconds);
    const step = hertz / sampleRate;
    let level = 1;
    let bend = depth;
    for (let n = 0; n < note.length; n++) {
      note[n] = level * sine(n * step + bend * sine(n * step * ratio) + 2);
      level *= fall;
      bend *= bendFall;
    }
    return finished(note, 0.003, 0.12);
  };

interface SawTraits {
  /** The detuning of each sawtooth, as a share of the pitch. */
  detunes: readonly number[];
  /** The cutoff of the low-pass filter at the start and at the end, in hertz. */
  openHertz: number;
  closedHertz: number;
  filterSeconds: number;
  /** From 0, no resonance, to 0.95. */
  resonance: number;
  fallSeconds: number;
  attackSeconds: number;
  releaseSeconds: number;
}

/**
 * Sawtooth waves through a low-pass filter whose cutoff moves from `openHertz` to `closedHertz`: stabs, pads, reese and
 * acid basses.
 */
const filteredSaws =
  (traits: SawTraits): ToneVoice =>
  (hertz, seconds) => {
    const note = new Float32Array(samplesIn(seconds + traits.releaseSeconds));
    const fall = decay(traits.fallSeconds);
    const close = decay(traits.filterSeconds);
    const steps = traits.detunes.map((detune) => (hertz * (1 + detune)) / sampleRate);
    const phases = traits.detunes.map((_, index) => (index * 0.37) % 1);
    const damping = 2 * (1 - traits.resonance);
    let open = 1;
    let level = 1;
    let low = 0;
    let band = 0;
    for (let n = 0; n < note.length; n++) {
      let sum = 0;
      for (let voice = 0; voice < steps.length; voice++) {
        const step = steps[voice] ?? 0;
        let phase = (phases[voice] ?? 0) + step;
        if (phase >= 1) phase -= 1;
        phases[voice] = phase;
        sum += 2 * phase - 1 - smoothedEdge(phase, step);
      }
      // A state-variable filter (Chamberlin), which is stable for a cutoff below a sixth of the sample rate.
      const corner = traits.closedHertz + (traits.openHertz - traits.closedHertz) * open;
      const f = 2 * sine(Math.min(corner, 7_000) / sampleRate / 2);
      low += f * band;
      band += f * (sum / steps.length - low - damping * band);
      note[n] = level * low;
      open *= close;
      level *= fall;
    }
    return finished(note, traits.attackSeconds, traits.releaseSeconds);
  };

/** The correction of a sawtooth near its jump, against aliasing (polyBLEP). */
function smoothedEdge(phase: number, step: number): number {
  if (phase < step) {
    const t = phase / step;
    return t + t - t * t - 1;
  }
  if (phase > 1 - step) {
    const t = (phase - 1) / step;
    return t * t + t + t + 1;
  }
  return 0;
}

/** A string (Karplus and Strong): a burst of noise in a delay line that removes its high frequencies. */
const plucked =
  (brightness: number, ringSeconds: number): ToneVoice =>
  (hertz, seconds) => {
    const random = seededRandom(6);
    const note = new Float32Array(samplesIn(seconds + 0.15));
    // The filter below adds a delay of half a sample. Interpolation between two samples gives the rest of the period.
    const period = sampleRate / hertz - 0.5;
    const wholeSamples = Math.floor(period);
    const part = period - wholeSamples;
    const burst = Float32Array.from({ length: wholeSamples + 1 }, () => random() * 2 - 1);
    const mean = burst.reduce((sum, sample) => sum + sample, 0) / burst.length;
    const string = burst.map((sample) => sample - mean);
    const decay = Math.exp(-1 / (ringSeconds * hertz));
    let before = 0;
    let soft = 0;
    for (let n = 0; n < note.length; n++) {
      const index = n % string.length;
      const next = (index + 1) % string.length;
      const read = part * (string[index] ?? 0) + (1 - part) * (string[next] ?? 0);
      const averaged = decay * 0.5 * (read + before);
      before = read;
      string[index] = averaged;
      soft += brightness * (averaged - soft);
      note[n] = soft;
    }
    return finished(note, 0.001, 0.15);
  };

/**
 * A saturated sine whose pitch falls to its note: the long bass of an 808, or, if it is short, a log drum.
 */
const falling =
  (rise: number, riseSeconds: number, fallSeconds: number, drive: number): ToneVoice =>
  (hertz, seconds) => {
    const note = new Float32Array(samplesIn(seconds + 0.08));
    const fall = decay(fallSeconds);
    const riseFall = decay(riseSeconds);
    let turns = 0;
    let level = 1;
    let above = rise;
    for (let n = 0; n < note.length; n++) {
      turns += (hertz * (1 + above)) / sampleRate;
      note[n] = Math.tanh(drive * level * (sine(turns) + 0.18 * sine(2 * turns)));
      level *= fall;
      above *= riseFall;
    }
    return finished(note, 0.002, 0.08);
  };

const pad: SawTraits = {
  detunes: [-0.004, 0, 0.0045],
  openHertz: 700,
  closedHertz: 1_500,
  filterSeconds: 0.8,
  resonance: 0.1,
  fallSeconds: 6,
  attackSeconds: 0.25,
  releaseSeconds: 0.6,
};
const stab: SawTraits = {
  detunes: [-0.003, 0.003],
  openHertz: 5_200,
  closedHertz: 500,
  filterSeconds: 0.09,
  resonance: 0.25,
  fallSeconds: 0.28,
  attackSeconds: 0.003,
  releaseSeconds: 0.06,
};

export const toneVoices = {
  electricPiano: frequencyModulated(1, 0.22, 0.35, 0.9),
  bell: frequencyModulated(4, 0.35, 0.25, 0.6),
  marimba: frequencyModulated(4, 0.12, 0.05, 0.16),
  piano: additive([[1, 1, 1.1], [2, 0.5, 0.7], [3, 0.28, 0.5], [4, 0.18, 0.35], [5, 0.09, 0.25], [6, 0.05, 0.2]], 0.002, 0.12), // biome-ignore format: one row
  organ: additive([[1, 1, 9], [2, 0.6, 9], [3, 0.35, 9], [4, 0.22, 9]], 0.006, 0.05), // biome-ignore format: one row
  flute: additive([[1, 1, 4], [2, 0.22, 3], [3, 0.1, 2]], 0.06, 0.12), // biome-ignore format: one row
  guitar: plucked(0.55, 1.2),
  pluck: plucked(0.9, 0.4),
  pad: filteredSaws(pad),
  strings: filteredSaws({ ...pad, openHertz: 2_600, closedHertz: 2_000, attackSeconds: 0.12, releaseSeconds: 0.3 }),
  stab: filteredSaws(stab),
  synth: filteredSaws({ ...stab, openHertz: 3_800, closedHertz: 1_400, filterSeconds: 0.3, fallSeconds: 0.9 }),
  bass: additive([[1, 1, 0.6], [2, 0.35, 0.35], [3, 0.18, 0.12], [4, 0.06, 0.08]], 0.005, 0.05), // biome-ignore format: one row
  subBass: additive([[1, 1, 3], [2, 0.18, 1], [3, 0.05, 0.5]], 0.008, 0.06), // biome-ignore format: one row
  organBass: additive([[1, 1, 0.5], [2, 0.7, 0.25], [3, 0.3, 0.12], [5, 0.12, 0.06]], 0.002, 0.04), // biome-ignore format: one row
  reese: filteredSaws({ ...pad, detunes: [-0.007, 0.007], openHertz: 500, closedHertz: 380, attackSeconds: 0.01, releaseSeconds: 0.06 }), // biome-ignore format: one row
  wobble: filteredSaws({ ...stab, openHertz: 2_400, closedHertz: 160, filterSeconds: 0.16, resonance: 0.55, fallSeconds: 1.5 }), // biome-ignore format: one row
  acid: filteredSaws({ ...stab, detunes: [0], openHertz: 2_600, closedHertz: 220, filterSeconds: 0.07, resonance: 0.75 }), // biome-ignore format: one row
  synthBass: filteredSaws({ ...stab, openHertz: 1_500, closedHertz: 300, filterSeconds: 0.12, resonance: 0.2, fallSeconds: 0.6 }), // biome-ignore format: one row
  eightOhEight: falling(1.2, 0.018, 0.9, 1.7),
  logDrum: falling(0.8, 0.03, 0.16, 2.6),
} satisfies Record<string, ToneVoice>;

export type ToneName = keyof typeof toneVoices;
