/** The relation of two keys on the circle of fifths. If a key is unknown, the relation is `other`. */
export type KeyRelation = "same" | "relative" | "adjacent" | "other";

/** The fraction of the key's maximum score for each relation (docs/similarity.md): 0 to 1. */
export const keyFactors: Readonly<Record<KeyRelation, number>> = { same: 1, relative: 0.75, adjacent: 0.5, other: 0 };

/** The distance between two tempos, in octaves, that halves the tempo's score: 4 %. */
const halvingOctaves = Math.log2(1.04);

/** The fraction of the tempo's maximum score for a distance between two tempos in octaves: 0 to 1. */
export const tempoFactor = (octavesApart: number): number => 0.5 ** (octavesApart / halvingOctaves);

/** For each reason of a similarity, its fraction of the maximum score: 0 to 1. Takes the API's fields. */
export const reasonShares = ({
  bpm_difference_percent: percent,
  key_relation,
  same_genre,
}: {
  bpm_difference_percent: number;
  key_relation: KeyRelation;
  same_genre: boolean;
}): { tempo: number; key: number; genre: number } => ({
  tempo: tempoFactor(Math.log2(1 + percent / 100)),
  key: keyFactors[key_relation],
  genre: same_genre ? 1 : 0,
});
