import { pick, seededRandom } from "./seeded-random.ts";
import { bass, chord, hat, kick, sampleRate, snare } from "./voices.ts";
import { encodeWav } from "./wav.ts";

/** What a loop is made of. */
export interface LoopBeat {
  id: number;
  /** Beats per minute. */
  tempo: number;
  /** Position on the circle of fifths: 0-11 major, 12-23 minor, 24 unknown. */
  keyCode: number;
  genreId: number;
}

const stepsPerBar = 16;
const slowestTempo = 30;
const fastestTempo = 300;
const peak = 0.89;

const drums = { kick: kick(), snare: snare(), hat: hat(0.018), openHat: hat(0.07) };

interface Groove {
  kick: string;
  snare: string;
  hat: string;
  bass: string;
  chords: string;
  /** How late every second step comes, in steps. */
  swing: number;
}

// One character for each sixteenth of a bar: x strong, o soft.
const grooves: readonly [Groove, ...Groove[]] = [
  {
    kick: "x...x...x...x...",
    snare: "....x.......x...",
    hat: "o.x.o.x.o.x.o.xo",
    bass: "..x...x..ox...x.",
    chords: "..x....x..x.....",
    swing: 0,
  },
  {
    kick: "x......o..x.....",
    snare: "....x.......x..o",
    hat: "x.o.x.o.x.o.x.o.",
    bass: "x......x..x.....",
    chords: "x.........x.....",
    swing: 0.22,
  },
  {
    kick: "x......x..x.....",
    snare: "........x.......",
    hat: "x.o.x.o.x.oox.o.",
    bass: "x......x..x.....",
    chords: "x...............",
    swing: 0,
  },
  {
    kick: "x.x.......x.....",
    snare: "....x..o.o..x..o",
    hat: "x.o.x.o.x.o.x.o.",
    bass: "x.x.......x...o.",
    chords: "x.....x.........",
    swing: 0.08,
  },
  {
    kick: "x...x...x...x...",
    snare: "...x..x....x..x.",
    hat: "x.o.x.o.x.o.x.o.",
    bass: "x..x..x.x..x..x.",
    chords: "x..x..x.........",
    swing: 0,
  },
];

// Four chords for a loop, as semitones from the tonic to each root and whether the chord is minor.
type Progression = readonly (readonly [root: number, isMinor: boolean])[];
const majorProgressions: readonly [Progression, ...Progression[]] = [
  [
    [0, false],
    [7, false],
    [9, true],
    [5, false],
  ],
  [
    [0, false],
    [9, true],
    [5, false],
    [7, false],
  ],
  [
    [0, false],
    [4, true],
    [5, false],
    [5, false],
  ],
];
const minorProgressions: readonly [Progression, ...Progression[]] = [
  [
    [0, true],
    [8, false],
    [3, false],
    [10, false],
  ],
  [
    [0, true],
    [5, true],
    [8, false],
    [7, true],
  ],
  [
    [0, true],
    [0, true],
    [8, false],
    [10, false],
  ],
];

/**
 * A drum loop at the beat's tempo, with bass and chords in its key where that is known: a WAV file (PCM, mono, 16
 * bit, 22,050 Hz) of two bars, of four from 120 BPM on, that repeats without a seam. The same beat always sounds the
 * same. A tempo nobody could follow is played in the octave that lies within 30 to 300 BPM, so that a loop never
 * takes more than 16 seconds (706 kB).
 */
export function renderLoop(beat: LoopBeat): Buffer {
  const tempo = playedTempo(beat.tempo);
  const bars = tempo >= 120 ? 4 : 2;
  const samplesPerStep = (sampleRate * 60) / tempo / 4;
  const mix = new Float32Array(Math.round(bars * stepsPerBar * samplesPerStep));
  const groove = pick(seededRandom(beat.genreId), grooves);
  const sampleOf = (step: number): number => Math.round((step + (step % 2 === 1 ? groove.swing : 0)) * samplesPerStep);
  const play = (note: Float32Array, step: number, level: number): void => addNote(mix, note, sampleOf(step), level);

  for (let bar = 0; bar < bars; bar++) {
    for (let step = 0; step < stepsPerBar; step++) {
      const at = bar * stepsPerBar + step;
      play(drums.kick, at, 0.95 * stroke(groove.kick, step));
      play(drums.snare, at, 0.6 * stroke(groove.snare, step));
      play(step === stepsPerBar - 2 ? drums.openHat : drums.hat, at, 0.3 * stroke(groove.hat, step));
    }
  }
  if (beat.keyCode < 24) addHarmony(beat, bars, groove, play, samplesPerStep / sampleRate);
  return encodeWav(normalised(mix), sampleRate);
}

type Play = (note: Float32Array, step: number, level: number) => void;

function addHarmony(beat: LoopBeat, bars: number, groove: Groove, play: Play, secondsPerStep: number): void {
  const random = seededRandom(beat.id);
  const isMinor = beat.keyCode >= 12;
  const progression = pick(random, isMinor ? minorProgressions : majorProgressions);
  const tonic = tonicOf(beat.keyCode);
  const stepsPerChord = (bars * stepsPerBar) / progression.length;
  for (const [index, [root, chordIsMinor]] of progression.entries()) {
    const first = index * stepsPerChord;
    const pitch = tonic + root;
    const triad = [pitch, pitch + (chordIsMinor ? 3 : 4), pitch + 7].map((tone) => hertz(within(tone, 55)));
    const stab = chord(triad, Math.min(1.2, 6 * secondsPerStep));
    const low = bass(hertz(within(pitch, 31)), Math.min(0.8, 3 * secondsPerStep));
    const leap = bass(hertz(within(pitch + pick(random, [0, 7, 12]), 36)), Math.min(0.4, 2 * secondsPerStep));
    for (let step = first; step < first + stepsPerChord; step++) {
      const inBar = step % stepsPerBar;
      play(stab, step, 0.42 * stroke(groove.chords, inBar));
      play(inBar > 12 ? leap : low, step, 0.62 * stroke(groove.bass, inBar));
    }
  }
}

const stroke = (pattern: string, step: number): number => ({ x: 1, o: 0.45 })[pattern.charAt(step)] ?? 0;

// What rings beyond the end is heard at the beginning: that is what makes the loop seamless.
function addNote(mix: Float32Array, note: Float32Array, start: number, level: number): void {
  if (level === 0) return;
  let at = start % mix.length;
  for (const sample of note) {
    mix[at] = (mix[at] ?? 0) + level * sample;
    at = at + 1 === mix.length ? 0 : at + 1;
  }
}

// Loud passages are rounded before the whole is brought to its peak, so that nothing is ever cut off.
function normalised(mix: Float32Array): Float32Array {
  let loudest = 0;
  for (let n = 0; n < mix.length; n++) {
    const value = mix[n] ?? 0;
    const rounded = value / Math.sqrt(1 + 0.3 * value * value);
    mix[n] = rounded;
    loudest = Math.max(loudest, Math.abs(rounded));
  }
  const gain = peak / loudest;
  for (let n = 0; n < mix.length; n++) mix[n] = (mix[n] ?? 0) * gain;
  return mix;
}

function playedTempo(tempo: number): number {
  let played = tempo;
  while (played < slowestTempo) played *= 2;
  while (played > fastestTempo) played /= 2;
  return played;
}

/** Semitones above C; a minor key stands at its relative major's place. */
function tonicOf(keyCode: number): number {
  const major = ((keyCode % 12) * 7) % 12;
  return keyCode < 12 ? major : (major + 9) % 12;
}

/** The same tone in the octave that begins at a MIDI note. */
const within = (tone: number, lowest: number): number => lowest + ((((tone - lowest) % 12) + 12) % 12);

const hertz = (midiNote: number): number => 440 * 2 ** ((midiNote - 69) / 12);
