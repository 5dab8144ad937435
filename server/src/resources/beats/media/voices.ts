import { seededRandom } from "./seeded-random.ts";

// The instruments of the rendered loop: each gives one note as samples, about -1 to 1.

export const sampleRate = 22_050;

const sineTable = Float32Array.from({ length: 4096 }, (_, n) => Math.sin((2 * Math.PI * n) / 4096));

/** Of a phase in turns, 0 or more. */
const sine = (turns: number): number => sineTable[((turns - Math.floor(turns)) * 4096) & 4095] ?? 0;

const seconds = (duration: number): number => Math.round(duration * sampleRate);

/** What a level is multiplied with at each sample so that it falls to 1/e in this time. */
const decay = (duration: number): number => Math.exp(-1 / (duration * sampleRate));

/** A falling sine with a click in front. */
export function kick(): Float32Array {
  const note = new Float32Array(seconds(0.32));
  const fall = decay(0.09);
  const sweepFall = decay(0.022);
  let turns = 0;
  let level = 1;
  let sweep = 1;
  for (let n = 0; n < note.length; n++) {
    turns += (46 + 130 * sweep) / sampleRate;
    note[n] = level * sine(turns);
    level *= fall;
    sweep *= sweepFall;
  }
  return fadeOut(note);
}

/** A burst of noise over a short tone. */
export function snare(): Float32Array {
  const random = seededRandom(1);
  const note = new Float32Array(seconds(0.22));
  const fall = decay(0.055);
  const toneFall = decay(0.03);
  let level = 1;
  let tone = 1;
  let low = 0;
  for (let n = 0; n < note.length; n++) {
    const noise = random() * 2 - 1;
    low += 0.25 * (noise - low);
    note[n] = level * 0.7 * (noise - low) + tone * 0.45 * sine((n * 185) / sampleRate);
    level *= fall;
    tone *= toneFall;
  }
  return fadeOut(note);
}

/** High noise, closed or left to ring. */
export function hat(ringSeconds: number): Float32Array {
  const random = seededRandom(2);
  const note = new Float32Array(seconds(ringSeconds * 4));
  const fall = decay(ringSeconds);
  let level = 1;
  let before = 0;
  let beforeThat = 0;
  for (let n = 0; n < note.length; n++) {
    const noise = random() * 2 - 1;
    note[n] = level * 0.4 * (noise - 1.4 * before + 0.6 * beforeThat);
    beforeThat = before;
    before = noise;
    level *= fall;
  }
  return fadeOut(note);
}

/** A round low note with enough overtones for small loudspeakers. */
export function bass(hertz: number, duration: number): Float32Array {
  const note = new Float32Array(seconds(duration));
  const fall = decay(0.35);
  const brightFall = decay(0.09);
  const step = hertz / sampleRate;
  let level = 1;
  let bright = 1;
  for (let n = 0; n < note.length; n++) {
    const turns = n * step;
    note[n] = level * (0.75 * sine(turns) + 0.22 * sine(2 * turns) + bright * 0.18 * sine(3 * turns));
    level *= fall;
    bright *= brightFall;
  }
  return fadeOut(fadeIn(note));
}

/** A chord as an electric piano plays it: a soft body, overtones that fade first. */
export function chord(hertz: readonly number[], duration: number): Float32Array {
  const note = new Float32Array(seconds(duration));
  const fall = decay(0.5);
  const brightFall = decay(0.12);
  for (const pitch of hertz) {
    const step = pitch / sampleRate;
    let level = 1 / hertz.length;
    let bright = 0.35 / hertz.length;
    for (let n = 0; n < note.length; n++) {
      const turns = n * step;
      note[n] = (note[n] ?? 0) + level * sine(turns) + bright * sine(2 * turns + 0.25 * sine(turns));
      level *= fall;
      bright *= brightFall;
    }
  }
  return fadeOut(fadeIn(note));
}

// Without them a note begins or breaks off with a click.
function fadeIn(note: Float32Array): Float32Array {
  const length = Math.min(note.length, seconds(0.006));
  for (let n = 0; n < length; n++) note[n] = ((note[n] ?? 0) * n) / length;
  return note;
}

function fadeOut(note: Float32Array): Float32Array {
  const length = Math.min(note.length, seconds(0.03));
  for (let n = 0; n < length; n++) {
    const at = note.length - 1 - n;
    note[at] = ((note[at] ?? 0) * n) / length;
  }
  return note;
}
