/** The number of samples in a second of each channel. */
export const sampleRate = 44_100;

const sineTable = Float32Array.from({ length: 4096 }, (_, n) => Math.sin((2 * Math.PI * n) / 4096));

/** The sine of a phase in turns, which is 0 or more. */
export const sine = (turns: number): number => sineTable[((turns - Math.floor(turns)) * 4096) & 4095] ?? 0;

/** The number of samples in a duration. */
export const samplesIn = (seconds: number): number => Math.round(seconds * sampleRate);

/** The factor for each sample with which a level falls to 1/e in this time. */
export const decay = (seconds: number): number => Math.exp(-1 / (seconds * sampleRate));

/** Scales a note to a peak of 1, and fades it in and out to avoid clicks. */
export function finished(note: Float32Array, attackSeconds: number, releaseSeconds = 0.03): Float32Array {
  const attack = Math.min(note.length, samplesIn(attackSeconds));
  for (let n = 0; n < attack; n++) note[n] = ((note[n] ?? 0) * n) / attack;
  const release = Math.min(note.length, samplesIn(releaseSeconds));
  for (let n = 0; n < release; n++) {
    const index = note.length - 1 - n;
    note[index] = ((note[index] ?? 0) * n) / release;
  }
  const peak = peakOf(note);
  if (peak > 0) for (let n = 0; n < note.length; n++) note[n] = (note[n] ?? 0) / peak;
  return note;
}

/** The largest absolute value. */
function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (let n = 0; n < samples.length; n++) peak = Math.max(peak, Math.abs(samples[n] ?? 0));
  return peak;
}

const slowestTempo = 30;
const fastestTempo = 300;

/** The tempo of a loop: the beat's tempo, doubled or halved into the range from 30 to 300 BPM. */
export function playedTempo(tempo: number): number {
  let played = tempo;
  while (played < slowestTempo) played *= 2;
  while (played > fastestTempo) played /= 2;
  return played;
}

export function barsOf(playedTempo: number): number {
  if (playedTempo < 75) return 2;
  return playedTempo < 150 ? 4 : 8;
}

/** The length of a beat's loop in seconds. */
export function loopSeconds(tempo: number): number {
  const played = playedTempo(tempo);
  return (barsOf(played) * 4 * 60) / played;
}
