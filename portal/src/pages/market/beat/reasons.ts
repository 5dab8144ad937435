import { type KeyRelation, keyFactors, reasonShares } from "@beatmarket/foundation/music/similarity-factors.ts";
import type { SimilarBeat } from "../../../api/catalogue.ts";
import { locale, t } from "../../../api/locale.ts";

/** A reason for similarity: its contribution to the score as a share (0 to 1) of the maximum, and its text. */
export interface Reason {
  name: string;
  share: number;
  text: string;
}

const keyWords = {
  same: "market.theSame",
  relative: "market.relative",
  adjacent: "market.aFifthApart",
  other: "market.unrelated",
} as const satisfies Record<KeyRelation, string>;

/** Whether the page knows the relation. The library's types allow relations that a later version adds. */
const isKnown = (relation: string): relation is KeyRelation => Object.hasOwn(keyFactors, relation);

/** The reasons for a beat's similarity (docs/similarity.md). */
export function reasonsOf({ bpm, key, genre, similarity }: SimilarBeat): Reason[] {
  const { tempo_ratio: ratio, bpm_difference_percent: percent, same_genre } = similarity;
  const key_relation = isKnown(similarity.key_relation) ? similarity.key_relation : "other";
  const shares = reasonShares({ ...similarity, key_relation });
  const octave = [...(ratio === 2 ? [t("market.doubleTime")] : []), ...(ratio === 0.5 ? [t("market.halfTime")] : [])];
  const distance =
    percent === 0
      ? t("market.equal")
      : t("market.percentApart", {
          percent: locale.number(percent, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
        });
  return [
    { name: t("market.tempo"), share: shares.tempo, text: [t("market.bpm", { bpm }), ...octave, distance].join(", ") },
    {
      name: t("market.key"),
      share: shares.key,
      text: `${key === "" ? t("market.unknown") : key}, ${t(keyWords[key_relation])}`,
    },
    {
      name: t("market.genre"),
      share: shares.genre,
      text: `${genre.name}, ${t(same_genre ? "market.theSame" : "market.another")}`,
    },
  ];
}
