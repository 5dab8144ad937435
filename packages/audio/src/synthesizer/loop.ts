import { pick, seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { type DrumName, drumVoices } from "./drum-voices.ts";
import { encodeWav } from "./encode-wav.ts";
import { hertz, pentatonic, progressionOf, type Scale, scaleOf, toneAt, within } from "./harmony.ts";
import { Bus, duck, master, roomOf } from "./mixer.ts";
import { barsOf, playedTempo, sampleRate } from "./samples.ts";
import { type Style, styleOf } from "./styles.ts";
import { type ToneName, toneVoices } from "./tone-voices.ts";

/** The properties of a beat on which its loop depends. */
export interface LoopBeat {
  id: number;
  /** Beats per minute. */
  tempo: number;
  /** Position on the circle of fifths: 0-11 major, 12-23 minor, 24 unknown. */
  keyCode: number;
  genreName: string;
}

const stepsPerBar = 16;
/** The RMS level and the peak, as fractions of full scale: -15 dB and -1 dB. */
const loudness = 0.178;
const peak = 0.89;

/** Levels by the character of a drum pattern (styles.ts): x strong, o soft, r and t several quick strokes. */
const strokeLevels: Record<string, number> = { x: 1, o: 0.42, r: 0.8, t: 0.7 };
/** The numbers of quick strokes for which r and t stand. */
const strokeTimes: Record<string, number> = { r: 2, t: 3 };
const drumLevels: Record<DrumName, number> = {
  kick: 0.78,
  softKick: 0.72,
  hardKick: 0.68,
  deepKick: 0.78,
  snare: 0.6,
  dustySnare: 0.6,
  gatedSnare: 0.6,
  brush: 0.44,
  clap: 0.52,
  rim: 0.34,
  hat: 0.3,
  openHat: 0.28,
  shaker: 0.21,
  cowbell: 0.24,
  conga: 0.26,
  tom: 0.5,
};
const drumPans: Partial<Record<DrumName, number>> = {
  hat: 0.25,
  openHat: 0.3,
  shaker: -0.35,
  rim: -0.2,
  cowbell: 0.2,
  conga: -0.3,
};

/**
 * A loop at the beat's tempo, in the style of its genre, with bass, chords and a melody in its key if the key is known.
 * It is a WAV file (PCM, stereo, 16 bit, 44,100 Hz) that repeats without a gap. It has two bars, from 75 BPM on four,
 * and from 150 BPM on eight. The same beat always sounds the same. A tempo outside 30 to 300 BPM is doubled or halved
 * into that range, so that a loop has at most 16 seconds and less than 2.9 MB.
 */
export function renderLoop(beat: LoopBeat): Buffer {
  const loop = new Loop(beat);
  return encodeWav(loop.mix.left, loop.mix.right, sampleRate);
}

/** The bars of a loop. A step is a sixteenth, counted from the beginning of the loop. */
class Loop {
  readonly mix: Bus;
  readonly #bars: number;
  readonly #style: Style;
  readonly #framesPerStep: number;
  readonly #notes = new Map<string, Float32Array>();
  readonly #random: () => number;

  constructor(beat: LoopBeat) {
    const tempo = playedTempo(beat.tempo);
    this.#bars = barsOf(tempo);
    this.#framesPerStep = (sampleRate * 60) / tempo / 4;
    this.#style = styleOf(beat.genreName, tempo);
    this.#random = seededRandom(beat.id);
    const frames = Math.round(this.#steps * this.#framesPerStep);

    this.mix = new Bus(frames);
    const dry = new Bus(frames);
    const kicks = this.#playDrums(dry);
    const scale = scaleOf(beat.keyCode);
    const tuned = new Bus(frames);
    const bass = new Bus(frames);
    if (scale !== null) {
      this.#playBass(bass, scale, beat.id);
      this.#playChords(tuned, scale, beat.id);
      this.#playLead(tuned, scale, beat.id);
      duck(bass, kicks, this.#style.duck);
      duck(tuned, kicks, this.#style.duck);
    }
    const room = new Bus(frames);
    room.addBus(tuned, 1);
    room.addBus(dry, 0.16);
    this.mix.addBus(dry, 1);
    this.mix.addBus(bass, 1);
    this.mix.addBus(tuned, 1);
    this.mix.addBus(roomOf(room), 0.55 * this.#style.room);
    master(this.mix, loudness, peak);
  }

  get #steps(): number {
    return this.#bars * stepsPerBar;
  }

  /** Returns the frames at which a kick sounds. */
  #playDrums(bus: Bus): number[] {
    const kicks: number[] = [];
    for (const [drum, pattern] of Object.entries(this.#style.drums) as [DrumName, string][]) {
      for (let step = 0; step < this.#steps; step++) {
        const stroke = pattern.charAt(step % pattern.length);
        const level = (strokeLevels[stroke] ?? 0) * drumLevels[drum] * (0.92 + 0.08 * this.#random());
        if (level === 0) continue;
        const times = strokeTimes[stroke] ?? 1;
        for (let time = 0; time < times; time++) {
          const frame = this.#frameOf(step, time / times);
          bus.add(drumVoices[drum], frame, level * (1 - 0.18 * time), drumPans[drum] ?? 0);
          if (drum.toLowerCase().endsWith("kick") && time === 0) kicks.push(frame);
        }
      }
    }
    return kicks;
  }

  #playBass(bus: Bus, scale: Scale, seed: number): void {
    const { voice, pattern, maxSteps } = this.#style.bass;
    const degrees = progressionOf(scale, seed);
    for (const [step, length, interval] of hits(pattern, this.#steps, maxSteps)) {
      const root = degrees[this.#chordAt(step, degrees.length)] ?? 0;
      const tone = toneAt(scale, interval === "5" ? root + 4 : root);
      const note = within(tone, 29) + (interval === "8" ? 12 : 0);
      bus.add(this.#note(voice, note, length), this.#frameOf(step), 0.36, 0);
    }
  }

  #playChords(bus: Bus, scale: Scale, seed: number): void {
    const { voice, pattern, maxSteps, tones } = this.#style.chords;
    const degrees = progressionOf(scale, seed);
    for (const [step, length, stroke] of hits(pattern, this.#steps, maxSteps)) {
      const root = degrees[this.#chordAt(step, degrees.length)] ?? 0;
      for (let tone = 0; tone < tones; tone++) {
        const note = within(toneAt(scale, root + 2 * tone), 54);
        const level = ((stroke === "o" ? 0.55 : 1) * (tone === 3 ? 0.34 : 0.74)) / Math.sqrt(tones);
        bus.add(this.#note(voice, note, length), this.#frameOf(step), level, -0.45 + 0.3 * tone);
      }
    }
  }

  /** Repeats a phrase of two bars, seeded by the beat. The last note of the loop is the tonic. */
  #playLead(bus: Bus, scale: Scale, seed: number): void {
    const random = seededRandom(seed + 1);
    const rhythm =
      pick(random, ["x.....x...x.....", "x..x..x.....x...", "....x..x..x.....", "x.......x.x.x..."]) +
      pick(random, ["x.....x.........", "..x...x...x.....", "x..x............", "................"]);
    const passing = pentatonic(scale);
    const phrase = Array.from(rhythm, (_, step) =>
      step % 4 === 0 ? 2 * Math.floor(random() * 3) : (passing[Math.floor(random() * passing.length)] ?? 0),
    );
    const played = hits(rhythm, this.#steps, 4);
    for (const [step, length] of played) {
      const isLast = step === played.at(-1)?.[0];
      const note = this.#note(
        this.#style.lead,
        within(toneAt(scale, isLast ? 0 : (phrase[step % rhythm.length] ?? 0)), 69),
        length,
      );
      const level = 0.32 * (step % 8 === 0 ? 1 : 0.8);
      bus.add(note, this.#frameOf(step), level, 0.15);
      bus.add(note, this.#frameOf(step + 3), 0.3 * level, -0.5);
    }
  }

  /** The index of the chord at a step. `chords` is the number of chords, which have equal lengths. */
  #chordAt(step: number, chords: number): number {
    return Math.floor(step / (this.#steps / chords)) % chords;
  }

  /** The frame of a step, or of the position that is the fraction `part` of a step after it. */
  #frameOf(step: number, part = 0): number {
    const late = step % 2 === 1 ? this.#style.swing : 0;
    return Math.round((step + late + part) * this.#framesPerStep);
  }

  #note(voice: ToneName, midiNote: number, steps: number): Float32Array {
    const name = `${voice} ${midiNote} ${steps}`;
    let note = this.#notes.get(name);
    if (note === undefined) {
      note = toneVoices[voice](hertz(midiNote), (0.94 * steps * this.#framesPerStep) / sampleRate);
      this.#notes.set(name, note);
    }
    return note;
  }
}

/**
 * The strokes of a pattern that is repeated over `steps` steps. Each lasts until the next, at most `maxSteps` steps.
 */
function hits(pattern: string, steps: number, maxSteps: number): [step: number, length: number, stroke: string][] {
  const struck = Array.from({ length: steps }, (_, step) => step).filter(
    (step) => pattern.charAt(step % pattern.length) !== ".",
  );
  return struck.map((step, index) => {
    const next = struck[index + 1] ?? steps + (struck[0] ?? 0);
    return [step, Math.min(maxSteps, next - step), pattern.charAt(step % pattern.length)];
  });
}
