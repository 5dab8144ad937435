// How alike two beats are (contract 4.5): by genre, tempo, key, and to a lesser degree producer, popularity and length.
// docs/similarity.md tells API users the same. Symmetric throughout, except that the tempi are put in relation from
// the beat asked about to the other.

/** What the score is made of, as the beats table has it. */
export interface Traits {
  id: number;
  user_id: number;
  genre_id: number;
  /** Position on the circle of fifths: 0-11 major from C, 12-23 minor from A, 24 unknown. */
  key_code: number;
  /** Beats per minute, unrounded. */
  tempo: number;
  /** Plays first, then the popularity an import brought along. */
  popularity_key: number;
  /** 0: unknown. */
  duration_seconds: number;
}

/** On the circle of fifths; `other` also where a key is unknown. */
export type KeyRelation = "same" | "relative" | "adjacent" | "other";

/** Why a beat was chosen, in the form the API answers it. */
export interface Similarity {
  /** 0 to 1, four decimals; 1 only when nothing at all tells the beats apart. */
  score: number;
  /** The octave of the other tempo as seen from this one: 120 beside 60 is 2, 60 beside 120 is 0.5. */
  tempo_ratio: 0.5 | 1 | 2;
  /** By how much the tempi then still differ, in percent of this beat's, never negative, two decimals. */
  bpm_difference_percent: number;
  key_relation: KeyRelation;
  same_genre: boolean;
}

// They add up to 1. Genre outweighs all that can speak for a beat of another genre in an unrelated key.
const weights = { genre: 0.4, tempo: 0.3, key: 0.2, producer: 0.04, popularity: 0.03, length: 0.03 };

const keyFactors: Record<KeyRelation, number> = { same: 1, relative: 0.75, adjacent: 0.5, other: 0 };

/** The distance of tempi, in octaves, that halves their part of the score: 4 %. */
const halvingOctaves = Math.log2(1.04);

const unknownLengthFactor = 0.5;
const unknownKey = 24;

/** Compares a beat with another; null when no octave brings their tempi together (contract 4.5, DESIGN similar). */
export function similarity(own: Traits, other: Traits): Similarity | null {
  const tempo = foldTempo(own.tempo, other.tempo);
  if (tempo === null) return null;
  const same_genre = own.genre_id === other.genre_id;
  const key_relation = keyRelation(own.key_code, other.key_code);
  const score =
    (same_genre ? weights.genre : 0) +
    weights.tempo * 0.5 ** (tempo.octavesApart / halvingOctaves) +
    weights.key * keyFactors[key_relation] +
    (own.user_id === other.user_id ? weights.producer : 0) +
    weights.popularity * lesserOverGreater(own.popularity_key + 1, other.popularity_key + 1) +
    weights.length * lengthFactor(own.duration_seconds, other.duration_seconds);
  return {
    score: shownScore(score),
    tempo_ratio: tempo.ratio,
    bpm_difference_percent: round(100 * Math.abs(other.tempo / (own.tempo * tempo.ratio) - 1), 2),
    key_relation,
    same_genre,
  };
}

/** Best first; of equal scores the lower id first. */
export function bySimilarity<T extends { id: number; similarity: Similarity }>(a: T, b: T): number {
  return b.similarity.score - a.similarity.score || a.id - b.id;
}

/**
 * The octave in which two tempi lie closest, and how far apart they are there, 0 to 0.5 octaves. Null when that
 * octave is neither the same nor a neighbouring one.
 */
export function foldTempo(own: number, other: number): { ratio: 0.5 | 1 | 2; octavesApart: number } | null {
  // Of the greater over the lesser, so that either beat finds or misses the other.
  const octaves = Math.log2(Math.max(own, other) / Math.min(own, other));
  const nearest = Math.round(octaves);
  if (nearest > 1) return null;
  return { ratio: nearest === 0 ? 1 : other > own ? 2 : 0.5, octavesApart: Math.abs(octaves - nearest) };
}

/** Same; relative (C major, A minor); adjacent: a fifth up or down in the same mode; other. */
export function keyRelation(a: number, b: number): KeyRelation {
  if (a === unknownKey || b === unknownKey) return "other";
  if (a === b) return "same";
  const fifths = Math.abs((a % 12) - (b % 12));
  const sameMode = a < 12 === b < 12;
  if (!sameMode) return fifths === 0 ? "relative" : "other";
  return fifths === 1 || fifths === 11 ? "adjacent" : "other";
}

/** A part of the catalogue in which no beat can score higher than `best`. */
export interface Neighbourhood {
  sameGenre: boolean;
  keyCodes: number[];
  best: number;
}

/**
 * All neighbourhoods of a beat, the most promising first; together they are the whole catalogue. `withProducer`: beats
 * of the same producer are still among those to be found there.
 */
export function neighbourhoods(own: Pick<Traits, "key_code">, withProducer: boolean): Neighbourhood[] {
  const keyCodes = Array.from({ length: unknownKey + 1 }, (_, code) => code);
  const byRelation = Object.entries(Object.groupBy(keyCodes, (code) => keyRelation(own.key_code, code)));
  return [true, false]
    .flatMap((sameGenre) =>
      byRelation.map(([relation, codes]) => ({
        sameGenre,
        keyCodes: codes,
        best: shownScore(
          (sameGenre ? weights.genre : 0) +
            weights.tempo +
            weights.key * keyFactors[relation as KeyRelation] +
            (withProducer ? weights.producer : 0) +
            weights.popularity +
            weights.length,
        ),
      })),
    )
    .sort((a, b) => b.best - a.best);
}

function lengthFactor(a: number, b: number): number {
  return a === 0 || b === 0 ? unknownLengthFactor : lesserOverGreater(a, b);
}

function lesserOverGreater(a: number, b: number): number {
  return Math.min(a, b) / Math.max(a, b);
}

/** Rounding must not make a perfect match of a near one; a sum of the weights is 1 but for the last bits. */
function shownScore(score: number): number {
  return score > 1 - 1e-12 ? 1 : Math.min(0.9999, round(score, 4));
}

function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
