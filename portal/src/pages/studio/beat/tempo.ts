import type { Options, Upload } from "../studio-queries.ts";

export type Octave = Options["genres"][number]["octave"];

/** The limits of a tempo in the API, in beats per minute. */
export const minBpm = 1;
export const maxBpm = 999;

/** Double or half the tempo, to two decimals; null if the result is outside the limits. */
export function scaledTempo(bpm: number, factor: 2 | 0.5): number | null {
  const scaled = Math.round(bpm * factor * 100) / 100;
  return scaled < minBpm || scaled > maxBpm ? null : scaled;
}

/** The tempo that the server derives from an analysis, in the genre's octave; null without an analysed tempo. */
export function analysedTempo(analysis: Upload["analysis"], octave: Octave): number | null {
  const bpm = analysis?.bpm ?? null;
  if (bpm === null || octave === null) return bpm;
  return [bpm, bpm / 2, bpm * 2].find((tempo) => tempo >= octave.least && tempo <= octave.most) ?? bpm;
}
