import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import type { beatReference } from "../../resources/beats/present.ts";

/** A beat in the API's reference form, whose covers and previews of ours are paths. */
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

/** A script draws, labels and shows it, since nothing plays without a script. */
export const playButton = `<button class="play" type="button" hidden></button>`;

export const coverOf = ({ cover_image }: ShownBeat, size: number): string =>
  `<img src="${escapeHtml(cover_image)}" alt="" width="${size}" height="${size}" loading="lazy" decoding="async">`;

export const factsOf = ({ genre, bpm, key }: Pick<ShownBeat, "genre" | "bpm" | "key">): string =>
  [`${bpm} BPM`, key, genre.name].filter((fact) => fact !== "").join(" · ");

/** Beats as covers that play. */
export const wall = (locale: Locale, beats: readonly ShownBeat[], currency: string): string =>
  `<ul class="wall">
${beats
  .map(
    (beat) => `<li class="beat" ${trackAttributes(beat)}>
<div class="cover">${coverOf(beat, 320)}${playButton}</div>
<div class="line"><a class="title" href="/beats/${beat.id}"><bdi>${escapeHtml(beat.title)}</bdi></a><span class="price">${locale.price(beat.price, currency)}</span></div>
<p>${producerLink(beat)}</p>
<p>${escapeHtml(factsOf(beat))}</p>
</li>`,
  )
  .join("\n")}
</ul>`;
