import { drawCover } from "@beatmarket/audio/cover/drawn-cover.ts";
import type { Similarity } from "@beatmarket/catalogue-index/engine/similar/similarity.ts";
import { reasonShares } from "@beatmarket/foundation/music/similarity-factors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import type { beatReference } from "../../resources/beats/present.ts";

/** A beat in the API's reference form. The addresses of covers and previews on this server are paths. */
export type ShownBeat = ReturnType<typeof beatReference> & {
  /** The path of the producer's page. */
  producer_path: string;
};

/** The producer's name, which leads to the producer's page. */
export const producerLink = ({ producer_name, producer_path }: ShownBeat): string =>
  `<a class="producer" href="${escapeHtml(producer_path)}"><bdi>${escapeHtml(producer_name)}</bdi></a>`;

/** The attributes of a beat's element that the player reads. */
export const trackAttributes = ({ id, title, producer_name, audio_url, cover_image }: ShownBeat): string =>
  Object.entries({
    beat: String(id),
    title,
    producer: producer_name,
    audio: audio_url,
    cover: cover_image,
  })
    .map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
    .join(" ");

/** An empty button, which a script draws, labels and shows, because playing needs a script. */
export const playButton = `<button class="play" type="button" hidden></button>`;

export const coverOf = (
  { cover_image }: ShownBeat,
  size: number,
  { isLazy = true }: { isLazy?: boolean } = {},
): string =>
  `<img src="${escapeHtml(cover_image)}" alt="" width="${size}" height="${size}"${isLazy ? ' loading="lazy"' : ""} decoding="async">`;

/**
 * A cover that is visible at once. A drawn cover is inlined, so that it is part of the first paint. If the page shows
 * the title next to the cover, the drawing has no text, which halves the browser's work.
 */
export const firstCoverOf = (beat: ShownBeat, size: number, options: { hasText: boolean }): string =>
  beat.cover_image === `/media/beats/${beat.id}.svg`
    ? `<img src="${escapeHtml(drawnCover(beat, options))}" alt="" width="${size}" height="${size}">`
    : coverOf(beat, size, { isLazy: false });

const drawnCover = ({ id, title, producer_name, genre }: ShownBeat, options: { hasText: boolean }): string => {
  const drawing = drawCover({ id, title, producerName: producer_name, genreName: genre.name }, options);
  // An address cannot have line breaks. A drawing has line breaks only between its elements, so they can be removed.
  return `data:image/svg+xml,${drawing.replaceAll("\n", "").replaceAll(/[%#]|\P{ASCII}+/gu, encodeURIComponent)}`;
};

export const factsOf = ({ genre, bpm, key }: Pick<ShownBeat, "genre" | "bpm" | "key">): string =>
  [`${bpm} BPM`, key, genre.name].filter((fact) => fact !== "").join(" · ");

/** The number of covers on the first screen: a row of a wide window. */
const beatsOfFirstScreen = 6;

const afterFirstPaint = (isAfter: boolean): string => (isAfter ? " after-first-paint" : "");

/**
 * Beats as covers that play. `isFirst`: the beats are visible at once. The first cover is then part of the first paint;
 * the others load later, since each drawing takes some milliseconds of the processor.
 */
export const wall = (
  locale: Locale,
  beats: readonly ShownBeat[],
  currency: string,
  { isFirst = false }: { isFirst?: boolean } = {},
): string =>
  `<ul class="wall">
${beats
  .map(
    (
      beat,
      index,
    ) => `<li class="beat${afterFirstPaint(isFirst && index >= beatsOfFirstScreen)}" ${trackAttributes(beat)}>
<div class="cover${afterFirstPaint(isFirst && index > 0)}">${isFirst && index === 0 ? firstCoverOf(beat, 320, { hasText: true }) : coverOf(beat, 320)}${playButton}</div>
<div class="line"><a class="title" href="/beats/${beat.id}"><bdi>${escapeHtml(beat.title)}</bdi></a><span class="price">${locale.price(beat.price, currency)}</span></div>
<p>${producerLink(beat)}</p>
<p>${escapeHtml(factsOf(beat))}</p>
</li>`,
  )
  .join("\n")}
</ul>`;

export type ShownSimilar = ShownBeat & { similarity: Similarity };

/**
 * Similar beats, each with its reasons as bars whose length is the reason's share of the score (docs/similarity.md).
 */
export const similarList = (locale: Locale, similar: readonly ShownSimilar[]): string =>
  `<ol class="reasons">
${similar
  .map(
    (beat) => `<li ${trackAttributes(beat)}>
<div class="cover">${coverOf(beat, 64)}${playButton}</div>
<div class="beat"><div class="line"><a class="title" href="/beats/${beat.id}"><bdi>${escapeHtml(beat.title)}</bdi></a></div>
<p>${producerLink(beat)}</p></div>
<dl class="bars">
${reasonsOf(locale, beat)
  .map(({ name, share, text }) => `<div><dt>${name}</dt><dd>${bar(share)}${escapeHtml(text)}</dd></div>`)
  .join("\n")}
</dl>
<p class="score">${Math.round(beat.similarity.score * 100)} %<small>${locale.t("beat.alike")}</small></p>
</li>`,
  )
  .join("\n")}
</ol>`;

interface Reason {
  name: string;
  /** The share of the largest possible contribution to the score, 0 to 1. */
  share: number;
  text: string;
}

/** The reasons why a beat is similar. */
function reasonsOf(locale: Locale, { bpm, key, genre, similarity }: ShownSimilar): Reason[] {
  const { tempo_ratio, bpm_difference_percent: percent, key_relation, same_genre } = similarity;
  const shares = reasonShares(similarity);
  return [
    {
      name: locale.t("beat.tempo"),
      share: shares.tempo,
      text: [
        `${bpm} BPM`,
        ...ratioTexts[tempo_ratio].map((key) => locale.t(key)),
        percent === 0 ? locale.t("beat.equal") : locale.t("beat.apart", { percent: locale.number(percent, oneDigit) }),
      ].join(", "),
    },
    {
      name: locale.t("beat.key"),
      share: shares.key,
      text: `${key === "" ? locale.t("beat.unknownKey") : key}, ${locale.t(keyTexts[key_relation])}`,
    },
    {
      name: locale.t("beat.genre"),
      share: shares.genre,
      text: `${genre.name}, ${locale.t(same_genre ? "beat.sameGenre" : "beat.otherGenre")}`,
    },
  ];
}

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

const ratioTexts = { 0.5: ["beat.halfTime"], 1: [], 2: ["beat.doubleTime"] } as const;

const keyTexts = {
  same: "beat.sameKey",
  relative: "beat.relativeKey",
  adjacent: "beat.adjacentKey",
  other: "beat.otherKey",
} as const;

const bar = (share: number): string =>
  `<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(share * 100)}" height="6"/></svg>`;
