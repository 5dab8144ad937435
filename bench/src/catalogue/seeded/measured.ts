/**
 * Distributions of values in real catalogues: measured on 156,364 different tracks of eighteen public data sets.
 * docs/benchmarks.md, The catalogue, explains them. No title, name or row was copied.
 */

/** For some ranks, the share of the word in all words of titles: a Zipf law whose exponent grows with the rank. */
export const wordShares: readonly (readonly [rank: number, share: number])[] = [
  [1, 0.0355],
  [2, 0.0153],
  [10, 0.0094],
  [100, 0.0011],
  [1_000, 0.000123],
  [10_000, 0.0000085],
  [100_000, 0.00000024],
  [10_000_000, 0.00000000015],
];

/** Mean letters of a word up to this rank. */
export const wordLengths: readonly (readonly [rank: number, letters: number])[] = [
  [1_000, 4.7],
  [10_000, 5.9],
  [Number.POSITIVE_INFINITY, 7],
];

/**
 * A title of one word is not "the". Its word comes from the ranks above this cumulative share, which are the rarer
 * words.
 */
export const singleWordFrom = 0.63;

/** Shares of the titles of 1, 2, 3 … words. */
export const titleWordCounts = [
  0.1917, 0.2372, 0.2055, 0.1413, 0.0833, 0.0552, 0.0293, 0.022, 0.0127, 0.0075, 0.0047, 0.0035, 0.0019, 0.0042,
] as const;

/** Share of titles that repeat the title of an earlier beat. */
export const repeatedTitleShare = 0.1;

/** Shares of the titles of each form. */
export const titleForms = { inParentheses: 0.09, withDash: 0.1 } as const;
/** Share of words that are numbers. */
export const numberShare = 0.027;

/** Shares of titles in other scripts than the Latin one. */
export const otherScripts = { cyrillic: 0.0024, eastAsian: 0.0009, hebrew: 0.0003 } as const;

/** Tempos from 50 BPM on, in steps of 5, without the peaks. */
export const tempoFrom = 50;
export const tempoStep = 5;
export const tempoShares = [
  7, 17, 41, 76, 156, 366, 393, 389, 514, 597, 462, 525, 494, 634, 612, 777, 461, 490, 321, 344, 205, 215, 120, 205,
  245, 180, 107, 60, 37, 33, 38, 16, 4, 2, 1,
] as const;
/** Additional shares, in the same unit, of tempos at which music with a metronome has a peak. */
export const tempoPeaks: Readonly<Record<number, number>> = {
  80: 35,
  90: 50,
  100: 90,
  110: 50,
  120: 160,
  128: 140,
  130: 80,
  140: 124,
  150: 50,
  160: 70,
};

/** Shares of the pitches C, C#, D … */
export const pitchShares = [114, 100, 106, 33, 77, 82, 66, 112, 64, 104, 65, 78] as const;
/** Shares of major, minor, and an unknown mode. */
export const modeShares = { "1": 0.44, "0": 0.24, "": 0.32 } as const;

/** A row without a genre becomes "Other". */
export const genreShares = {
  "": 5835,
  Rock: 858,
  "Hip Hop": 493,
  Alternative: 393,
  Pop: 381,
  "R&B": 306,
  EDM: 305,
  Country: 278,
  Latin: 251,
  Electronic: 239,
  Dance: 218,
  Metal: 160,
  Jazz: 49,
  Reggae: 44,
  Soundtrack: 26,
  Punk: 24,
  Folk: 23,
  "New Age": 15,
  Blues: 12,
  World: 9,
  "A Capella": 8,
  Dubstep: 6,
  "Electro House": 6,
  "Hard Dance": 6,
  "Psy-Trance": 6,
  "Drum & Bass": 5,
  Breaks: 5,
  House: 5,
  "Tech House": 5,
  "Deep House": 5,
  Minimal: 5,
  Indie: 4,
  Trance: 4,
  "Progressive House": 4,
  Techno: 4,
  "Chill Out": 3,
  Ambient: 1,
  Classical: 1,
} as const;
/** The share of rows with a genre that also name a narrower genre. */
export const subgenreShare = 0.4;

/**
 * Producers as in a Pitman-Yor process: after n beats by k producers the next one is by a new producer with the
 * probability (concentration + discount × k) / (concentration + n), else by one of them, in proportion to their beats.
 */
export const producerLaw = { concentration: 4_000, discount: 0.4 } as const;
/** Shares of the names of 1, 2, 3 … words. */
export const producerWordCounts = [0.29, 0.47, 0.11, 0.055, 0.037, 0.038] as const;

/**
 * Shares of popularity 0, then 1 to 9, 10 to 19, … 90 to 100. Rows without popularity get one from the same
 * distribution.
 */
export const popularityShares = [2045, 807, 460, 532, 1205, 1828, 1608, 1001, 419, 84, 11] as const;

/** Share of rows with play counts, and the counts: a power law, defined by quantiles. */
export const playedShare = 0.047;
export const playQuantiles: Quantiles = [
  [0, 1],
  [0.25, 1],
  [0.5, 2],
  [0.75, 6],
  [0.9, 36],
  [0.99, 99],
  [1, 231],
];

export type Quantiles = readonly (readonly [share: number, value: number])[];

export const durationQuantilesSeconds: Quantiles = [
  [0, 20],
  [0.01, 73],
  [0.05, 126],
  [0.1, 147],
  [0.25, 180],
  [0.5, 217],
  [0.75, 264],
  [0.9, 329],
  [0.95, 390],
  [0.99, 592],
  [1, 1_600],
];

/** Years of release. */
export const yearQuantiles: Quantiles = [
  [0, 1922],
  [0.1, 1936],
  [0.15, 1985],
  [0.25, 1998],
  [0.4, 2005],
  [0.55, 2008],
  [0.7, 2013],
  [0.85, 2018],
  [1, 2023],
];
/** Share of rows whose date is only a year. */
export const yearOnlyShare = 0.35;
