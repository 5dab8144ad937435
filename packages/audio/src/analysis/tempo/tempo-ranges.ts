/** The lowest and highest tempo that people use for a genre, in beats per minute. */
type TempoRange = readonly [number, number];

/**
 * Each range is narrower than an octave, also with the tolerance of `boundsOf`: if a tempo is in the range, its half
 * and its double are not.
 */
export const tempoRanges: Record<string, TempoRange> = {
  trap: [120, 170],
  drill: [130, 150],
  phonk: [110, 170],
  hiphop: [70, 115],
  rap: [70, 115],
  boombap: [75, 105],
  lofi: [60, 100],
  rb: [60, 110],
  rnb: [60, 110],
  soul: [60, 115],
  neosoul: [60, 110],
  house: [112, 134],
  deephouse: [112, 128],
  techhouse: [118, 132],
  progressivehouse: [118, 132],
  electrohouse: [122, 134],
  techno: [120, 155],
  minimal: [118, 135],
  electro: [115, 140],
  edm: [115, 150],
  trance: [128, 145],
  psytrance: [138, 150],
  hardstyle: [145, 165],
  harddance: [140, 190],
  hardcore: [155, 200],
  rave: [140, 190],
  breaks: [120, 150],
  breakbeat: [120, 150],
  drumbass: [155, 185],
  drumandbass: [155, 185],
  dnb: [155, 185],
  jungle: [150, 180],
  dubstep: [132, 150],
  garage: [122, 140],
  ukgarage: [122, 140],
  afrobeats: [90, 128],
  amapiano: [105, 120],
  dancehall: [80, 120],
  reggaeton: [80, 115],
  reggae: [60, 100],
  dub: [60, 100],
  latin: [80, 135],
  synthwave: [78, 130],
  pop: [85, 140],
  disco: [108, 132],
  funk: [85, 130],
  ambient: [55, 105],
  chillout: [70, 120],
};

/** The tempo range of a genre, by its name in any spelling ("Drum & Bass", "lo-fi"). Null if there is none. */
export function tempoRange(genre: string): TempoRange | null {
  const name = genre.toLowerCase().replace(/[^a-z]/g, "");
  return Object.hasOwn(tempoRanges, name) ? (tempoRanges[name] ?? null) : null;
}

/** The tempo, its half or its double, whichever is in the range. Returns the tempo if none is. */
export function tempoInRange(tempo: number, range: TempoRange): number {
  const { least, most } = boundsOf(range);
  return [tempo, tempo / 2, tempo * 2].find((octave) => octave >= least && octave <= most) ?? tempo;
}

/** The bounds of a range, with a tolerance of 2 %. */
const boundsOf = ([low, high]: TempoRange) => ({ least: 0.98 * low, most: 1.02 * high });

/** The bounds that `tempoInGenre` uses. Null for a genre without a range. */
export function tempoBounds(genre: string): { least: number; most: number } | null {
  const range = tempoRange(genre);
  return range && boundsOf(range);
}

/**
 * The tempo, its half or its double, whichever is in the genre's range. Returns the tempo if none is, or if the genre
 * has no range.
 */
export function tempoInGenre(tempo: number, genre: string): number {
  const range = tempoRange(genre);
  return range === null ? tempo : tempoInRange(tempo, range);
}
