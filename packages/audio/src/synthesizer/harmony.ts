import { pick, seededRandom } from "@beatmarket/foundation/seeded-random.ts";

/** A key: its tonic in semitones above C, and the seven steps of its scale in semitones above the tonic. */
export interface Scale {
  tonic: number;
  steps: readonly number[];
}

const major = [0, 2, 4, 5, 7, 9, 11];
const naturalMinor = [0, 2, 3, 5, 7, 8, 10];

/**
 * The scale of a key code: 0 to 11 are the major keys on the circle of fifths, 12 to 23 their relative minor keys. Null
 * for 24, the unknown key.
 */
export function scaleOf(keyCode: number): Scale | null {
  if (keyCode >= 24) return null;
  const place = ((keyCode % 12) * 7) % 12;
  return keyCode < 12 ? { tonic: place, steps: major } : { tonic: (place + 9) % 12, steps: naturalMinor };
}

// Progressions of four chords, as degrees of the scale from 0 for the tonic. They have no diminished chord, and do not
// stay on the relative key, which would sound like the key of the loop.
type Degrees = readonly [number, number, number, number];
const inMajor: readonly [Degrees, ...Degrees[]] = [
  [0, 4, 5, 3],
  [0, 5, 3, 4],
  [0, 3, 0, 4],
  [0, 3, 1, 4],
  [0, 0, 3, 4],
];
const inMinor: readonly [Degrees, ...Degrees[]] = [
  [0, 5, 0, 6],
  [0, 3, 0, 5],
  [0, 0, 5, 3],
  [0, 0, 3, 6],
  [0, 3, 0, 4],
];

/** The chords of a loop: for each, the degree of its root. */
export const progressionOf = (scale: Scale, seed: number): Degrees =>
  pick(seededRandom(seed), scale.steps === major ? inMajor : inMinor);

/** The degrees of the pentatonic scale, whose tones have no dissonance. */
export const pentatonic = ({ steps }: Scale): readonly number[] =>
  steps === major ? [0, 1, 2, 4, 5] : [0, 2, 3, 4, 6];

/** The tone of a degree, which may lie in any octave, in semitones above C. */
export const toneAt = ({ tonic, steps }: Scale, degree: number): number =>
  tonic + (steps[((degree % 7) + 7) % 7] ?? 0) + 12 * Math.floor(degree / 7);

/** The same tone in the octave that begins at a MIDI note. */
export const within = (tone: number, lowest: number): number => lowest + ((((tone - lowest) % 12) + 12) % 12);

/** The pitch of a MIDI note. */
export const hertz = (midiNote: number): number => 440 * 2 ** ((midiNote - 69) / 12);
