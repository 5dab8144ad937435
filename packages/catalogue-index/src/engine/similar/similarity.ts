// The similarity of two beats: by genre, tempo, key, and to a smaller degree producer, popularity and length.
// docs/similarity.md explains it to users of the API. Symmetric, except for the direction of the tempo ratio.

import { type KeyRelation, keyFactors, tempoFactor } from "@beatmarket/foundation/music/similarity-factors.ts";

/** The columns of `beats` that the score depends on. */
export interface Traits {
  id: number;
  user_id: number;
  genre_id: number;
  /** Position on the circle of fifths: 0-11 major from C, 12-23 minor from A, 24 unknown. */
  key_code: number;
  /** Beats per minute, unrounded. */
  tempo: number;
  /** Orders by plays, then by imported popularity. */
  popularity_key: number;
  /** 0 if unknown. */
  duration_seconds: number;
}

/** Why a beat is similar, as the API presents it. */
export interface Similarity {
  /** 0 to 1, four decimals; 1 only if all traits are equal, apart from the octave of the tempo. */
  score: number;
  /** The octave of the other tempo relative to this one: 120 to 60 is 2, 60 to 120 is 0.5. */
  tempo_ratio: 0.5 | 1 | 2;
  /** The remaining difference of the tempi in percent of this beat's; absolute, two decimals. */
  bpm_difference_percent: number;
  key_relation: KeyRelation;
  same_genre: boolean;
}

// They add up to 1. Genre weighs as much as all other factors except the key together.
const weights = { genre: 0.4, tempo: 0.3, key: 0.2, producer: 0.04, popularity: 0.03, length: 0.03 };

const unknownLengthFactor = 0.5;
const unknownKey = 24;

/** The parts whose sum is the score, in this order. */
export const parts = {
  genre: (isSame: boolean): number => (isSame ? weights.genre : 0),
  tempo: (octavesApart: number): number => weights.tempo * tempoFactor(octavesApart),
  key: (relation: KeyRelation): number => weights.key * keyFactors[relation],
  producer: (isSame: boolean): number => (isSame ? weights.producer : 0),
  popularity: (own: number, other: number): number => weights.popularity * lesserOverGreater(own + 1, other + 1),
  /** In seconds. */
  length: (own: number, other: number): number => weights.length * lengthFactor(own, other),
};

/**
 * Compares two beats; null if their tempi are an octave and a half apart or more (docs/api/beats.md, Similar beats).
 */
export function similarity(own: Traits, other: Traits): Similarity | null {
  const tempo = foldTempo(own.tempo, other.tempo);
  if (tempo === null) return null;
  const same_genre = own.genre_id === other.genre_id;
  const key_relation = keyRelation(own.key_code, other.key_code);
  const score =
    parts.genre(same_genre) +
    parts.tempo(tempo.octavesApart) +
    parts.key(key_relation) +
    parts.producer(own.user_id === other.user_id) +
    parts.popularity(own.popularity_key, other.popularity_key) +
    parts.length(own.duration_seconds, other.duration_seconds);
  return {
    score: shownScore(score),
    tempo_ratio: tempo.ratio,
    bpm_difference_percent: round(100 * Math.abs(other.tempo / (own.tempo * tempo.ratio) - 1), 2),
    key_relation,
    same_genre,
  };
}

/** Sorts best first; equal scores by lower id. */
export function bySimilarity<T extends { id: number; similarity: Similarity }>(a: T, b: T): number {
  return b.similarity.score - a.similarity.score || a.id - b.id;
}

/**
 * Returns the octave in which two tempi are closest, and their distance there, 0 to 0.5 octaves. Null if that is
 * neither the same octave nor an adjacent one.
 */
export function foldTempo(own: number, other: number): { ratio: 0.5 | 1 | 2; octavesApart: number } | null {
  // Greater over lesser, so that the result is symmetric.
  const octaves = Math.log2(Math.max(own, other) / Math.min(own, other));
  const nearest = Math.round(octaves);
  if (nearest > 1) return null;
  const octavesApart = Math.abs(octaves - nearest);
  if (nearest === 0) return { ratio: 1, octavesApart };
  return { ratio: other > own ? 2 : 0.5, octavesApart };
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

/** A part of the catalogue; `best` is the highest score that a beat in it can have. */
export interface Neighbourhood {
  sameGenre: boolean;
  keyCodes: number[];
  best: number;
}

/**
 * All neighbourhoods of a beat, the highest `best` first; together they are the whole catalogue. `withProducer`: they
 * may still contain beats of the same producer.
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

/** Rounds the score. A near match never rounds to 1; a perfect match, whose sum of weights may be off by bits, is 1. */
export function shownScore(score: number): number {
  return score > 1 - 1e-12 ? 1 : Math.min(0.9999, round(score, 4));
}

function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
