import { type KeyRelation, keyFactors, reasonShares } from "@beatmarket/foundation/music/similarity-factors.ts";
import type { SimilarBeat } from "../../../api/catalogue.ts";

/** A reason for similarity: its share (0 to 1) of its maximum contribution to the score, and its text. */
export interface Reason {
  name: string;
  share: number;
  text: string;
}

const keyWords: Record<KeyRelation, string> = {
  same: "the same",
  relative: "relative",
  adjacent: "a fifth apart",
  other: "unrelated",
};

/** The library's types allow relations that are added later. */
const isKnown = (relation: string): relation is KeyRelation => Object.hasOwn(keyFactors, relation);

/** Why a beat is similar (docs/similarity.md). */
export function reasonsOf({ bpm, key, genre, similarity }: SimilarBeat): Reason[] {
  const { tempo_ratio: ratio, bpm_difference_percent: percent, same_genre } = similarity;
  const key_relation = isKnown(similarity.key_relation) ? similarity.key_relation : "other";
  const shares = reasonShares({ ...similarity, key_relation });
  const octave = ratio === 2 ? ["double time"] : ratio === 0.5 ? ["half time"] : [];
  const distance = percent === 0 ? "equal" : `${percent.toFixed(1)} % apart`;
  return [
    { name: "Tempo", share: shares.tempo, text: [`${bpm} BPM`, ...octave, distance].join(", ") },
    { name: "Key", share: shares.key, text: `${key === "" ? "Unknown" : key}, ${keyWords[key_relation]}` },
    { name: "Genre", share: shares.genre, text: `${genre.name}, ${same_genre ? "the same" : "another"}` },
  ];
}
