const slowestTempo = 30;
const fastestTempo = 300;

/** The tempo that a loop is played at: of the beat's octaves the one within 30 to 300 BPM. */
export function playedTempo(tempo: number): number {
  let played = tempo;
  while (played < slowestTempo) played *= 2;
  while (played > fastestTempo) played /= 2;
  return played;
}

export const barsOf = (playedTempo: number): number => (playedTempo < 75 ? 2 : playedTempo < 150 ? 4 : 8);

/** How long the loop of a beat takes, in seconds. */
export function loopSeconds(tempo: number): number {
  const played = playedTempo(tempo);
  return (barsOf(played) * 4 * 60) / played;
}
