import type { Similarity } from "@beatmarket/catalogue-index/engine/similar/similarity.ts";
import { reasonShares } from "@beatmarket/foundation/music/similarity-factors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { coverOf, playButton, producerLink, type ShownBeat, trackAttributes } from "./beats.ts";

export type ShownSimilar = ShownBeat & { similarity: Similarity };

/** Beats like one, each with its reasons as bars: as long as the part that each has in the score (docs/similarity.md). */
export const similarList = (similar: readonly ShownSimilar[]): string =>
  `<ol class="reasons">
${similar
  .map(
    (beat) => `<li ${trackAttributes(beat)}>
<div class="cover">${coverOf(beat, 64)}${playButton}</div>
<div class="beat"><div class="line"><a class="title" href="/beats/${beat.id}"><bdi>${escapeHtml(beat.title)}</bdi></a></div>
<p>${producerLink(beat)}</p></div>
<dl class="bars">
${reasonsOf(beat)
  .map(({ name, share, text }) => `<div><dt>${name}</dt><dd>${bar(share)}${escapeHtml(text)}</dd></div>`)
  .join("\n")}
</dl>
<p class="score">${Math.round(beat.similarity.score * 100)} %<small>alike</small></p>
</li>`,
  )
  .join("\n")}
</ol>`;

interface Reason {
  name: string;
  /** Of the most that it could add to the score: 0 to 1. */
  share: number;
  text: string;
}

/** Why a beat is similar. */
function reasonsOf({ bpm, key, genre, similarity }: ShownSimilar): Reason[] {
  const { tempo_ratio, bpm_difference_percent: percent, key_relation, same_genre } = similarity;
  const shares = reasonShares(similarity);
  return [
    {
      name: "Tempo",
      share: shares.tempo,
      text: [`${bpm} BPM`, ...ratioWords[tempo_ratio], percent === 0 ? "equal" : `${percent.toFixed(1)} % apart`].join(
        ", ",
      ),
    },
    {
      name: "Key",
      share: shares.key,
      text: `${key === "" ? "Unknown" : key}, ${keyWords[key_relation]}`,
    },
    {
      name: "Genre",
      share: shares.genre,
      text: `${genre.name}, ${same_genre ? "the same" : "another"}`,
    },
  ];
}

const ratioWords: Record<Similarity["tempo_ratio"], string[]> = { 0.5: ["half time"], 1: [], 2: ["double time"] };

const keyWords: Record<Similarity["key_relation"], string> = {
  same: "the same",
  relative: "relative",
  adjacent: "a fifth apart",
  other: "unrelated",
};

const bar = (share: number): string =>
  `<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(share * 100)}" height="6"/></svg>`;
