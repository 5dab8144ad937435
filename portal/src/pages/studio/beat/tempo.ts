import type { Options, Upload } from "../studio-queries.ts";

export type Octave = Options["genres"][number]["octave"];

/** What the API takes as a tempo, in beats per minute. */
export const minBpm = 1;
export const maxBpm = 999;

/** Twice or half a tempo, to two decimals; null where that is no tempo any more. */
export function scaledTempo(bpm: number, factor: 2 | 0.5): number | null {
  const scaled = Math.round(bpm * factor * 100) / 100;
  return scaled < minBpm || scaled > maxBpm ? null : scaled;
}

/** The tempo that the service takes of an analysis: in the octave of the genre; null where it found none. */
export function analysedTempo(analysis: Upload["analysis"], octave: Octave): number | null {
  const bpm = analysis?.bpm ?? null;
  if (bpm === null || octave === null) return bpm;
  return [bpm, bpm / 2, bpm * 2].find((tempo) => tempo >= octave.least && tempo <= octave.most) ?? bpm;
}
