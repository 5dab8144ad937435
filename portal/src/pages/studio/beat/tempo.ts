/** What the API takes as a tempo, in beats per minute. */
export const minBpm = 1;
export const maxBpm = 999;

/** Twice or half a tempo, to two decimals; null where that is no tempo any more. */
export function scaledTempo(bpm: number, factor: 2 | 0.5): number | null {
  const scaled = Math.round(bpm * factor * 100) / 100;
  return scaled < minBpm || scaled > maxBpm ? null : scaled;
}
