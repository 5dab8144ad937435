import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { decay, finished, sampleRate, samplesIn, sine } from "./samples.ts";

// The drums of the rendered loops. Each function returns the samples of one stroke, with a peak of 1.

/** A sine whose pitch falls to its note, with a click at the start. A `drive` above 1 distorts it. */
function kick(hertz: number, ringSeconds: number, click: number, drive: number): Float32Array {
  const note = new Float32Array(samplesIn(ringSeconds * 3.2));
  const fall = decay(ringSeconds);
  const sweepFall = decay(0.02);
  let turns = 0;
  let level = 1;
  let sweep = 1;
  for (let n = 0; n < note.length; n++) {
    turns += (hertz + click * sweep) / sampleRate;
    note[n] = Math.tanh(drive * level * sine(turns));
    level *= fall;
    sweep *= sweepFall;
  }
  return finished(note, 0.0005);
}

/** Noise and a short tone. `low` is the share of low frequencies in the noise, 0 to 1. */
function snare(hertz: number, noiseSeconds: number, tone: number, low: number): Float32Array {
  const random = seededRandom(1);
  const note = new Float32Array(samplesIn(noiseSeconds * 4));
  const fall = decay(noiseSeconds);
  const toneFall = decay(0.035);
  let level = 1;
  let toneLevel = tone;
  let bottom = 0;
  for (let n = 0; n < note.length; n++) {
    const noise = random() * 2 - 1;
    bottom += 0.14 * (noise - bottom);
    note[n] = level * (noise - bottom * (1 - 2 * low)) + toneLevel * sine((n * hertz) / sampleRate);
    level *= fall;
    toneLevel *= toneFall;
  }
  return finished(note, 0.0005);
}

/** Three claps at slightly different times. */
function clap(): Float32Array {
  const random = seededRandom(3);
  const note = new Float32Array(samplesIn(0.32));
  const claps = [
    { start: 0, fallSeconds: 0.006 },
    { start: 0.011, fallSeconds: 0.006 },
    { start: 0.023, fallSeconds: 0.06 },
  ];
  let low = 0;
  let band = 0;
  for (let n = 0; n < note.length; n++) {
    const seconds = n / sampleRate;
    let level = 0;
    for (const { start, fallSeconds } of claps)
      if (seconds >= start) level += Math.exp(-(seconds - start) / fallSeconds);
    const noise = (random() * 2 - 1) * level;
    low += 0.3 * (noise - low);
    band += 0.08 * (low - band);
    note[n] = low - band;
  }
  return finished(note, 0.0005);
}

/** Bright noise: a filter removes the low frequencies. */
function hiss(ringSeconds: number, attackSeconds: number, seed: number): Float32Array {
  const random = seededRandom(seed);
  const note = new Float32Array(samplesIn(ringSeconds * 4.5 + attackSeconds));
  const fall = decay(ringSeconds);
  const attack = samplesIn(attackSeconds);
  let level = 1;
  let before = 0;
  let beforeThat = 0;
  for (let n = 0; n < note.length; n++) {
    const noise = random() * 2 - 1;
    note[n] = level * (noise - 1.5 * before + 0.7 * beforeThat);
    beforeThat = before;
    before = noise;
    if (n > attack) level *= fall;
  }
  return finished(note, Math.max(0.0005, attackSeconds));
}

/** A few simultaneous tones, which sound like wood, skin or metal depending on their pitches. */
function struck(partials: readonly (readonly [hertz: number, level: number])[], ringSeconds: number): Float32Array {
  const note = new Float32Array(samplesIn(ringSeconds * 4.5));
  const fall = decay(ringSeconds);
  let level = 1;
  for (let n = 0; n < note.length; n++) {
    let sum = 0;
    for (const [hertz, share] of partials) sum += share * sine((n * hertz) / sampleRate);
    note[n] = level * sum;
    level *= fall;
  }
  return finished(note, 0.0008);
}

const bell = (hertz: number): [number, number][] => [1, 3, 5, 7].map((odd) => [hertz * odd, 1 / odd]);

/** Computed only once, since a thread renders many loops with the same drums. */
export const drumVoices = {
  kick: kick(48, 0.1, 150, 1.4),
  softKick: kick(52, 0.075, 70, 1),
  hardKick: kick(50, 0.13, 230, 4),
  deepKick: kick(43, 0.17, 120, 1.8),
  snare: snare(188, 0.06, 0.7, 0),
  dustySnare: snare(172, 0.045, 0.9, 0.5),
  gatedSnare: snare(165, 0.13, 0.6, 0.35),
  brush: snare(210, 0.07, 0.15, 0.1),
  clap: clap(),
  rim: struck([[1_720, 1], [1_180, 0.7], [440, 0.3]], 0.014), // biome-ignore format: one row
  hat: hiss(0.016, 0, 2),
  openHat: hiss(0.085, 0, 4),
  shaker: hiss(0.022, 0.018, 5),
  cowbell: struck([...bell(562), ...bell(845)], 0.07),
  conga: struck([[206, 1], [316, 0.35]], 0.07), // biome-ignore format: one row
  tom: struck([[98, 1], [147, 0.3]], 0.12), // biome-ignore format: one row
} as const;

export type DrumName = keyof typeof drumVoices;
