/** The relation on the circle of fifths; `other` also if a key is unknown. */
export type KeyRelation = "same" | "relative" | "adjacent" | "other";

/** What each relation leaves of the key's part of the score (docs/similarity.md): 0 to 1. */
export const keyFactors: Readonly<Record<KeyRelation, number>> = { same: 1, relative: 0.75, adjacent: 0.5, other: 0 };

/** The distance of tempi, in octaves, that halves the tempo's part of the score: 4 %. */
const halvingOctaves = Math.log2(1.04);

/** What a distance of tempi, in octaves, leaves of the tempo's part of the score: 0 to 1. */
export const tempoFactor = (octavesApart: number): number => 0.5 ** (octavesApart / halvingOctaves);

/** Of a similarity as the API presents it, how much of the most that it could add each reason has: 0 to 1. */
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
