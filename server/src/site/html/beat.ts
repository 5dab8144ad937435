import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import type { BeatSales } from "../../resources/licenses/log/leaves.ts";
import { allowsOf, type OfferedLicense } from "../../resources/orders/fulfilment/offered-licenses.ts";
import {
  firstCoverOf,
  playButton,
  producerLink,
  type ShownBeat,
  type ShownSimilar,
  similarList,
  trackAttributes,
  wall,
} from "./beats.ts";
import { callPanel, type RunnableCall } from "./call.ts";

export interface BeatPage {
  beat: ShownBeat & { description: string; tags: readonly string[] };
  licenses: readonly Offer[];
  /** The sold licenses, by the license log. */
  sales: BeatSales;
  /** Characters of title and producer that the PDF certificate prints as boxes. */
  unprintable: readonly string[];
  currency: string;
  /** The consent sentence for the free MP3; null if the beat has no free MP3. */
  freeConsent: string | null;
  similar: readonly ShownSimilar[];
  /** Other beats of the same producer. */
  others: readonly ShownBeat[];
  call: RunnableCall;
}

export type Offer = Pick<OfferedLicense, "type" | "price" | "available" | "files" | "terms">;

/** A title with more than this number of characters has a smaller font size. */
const longTitle = 32;

export function beatMain(
  locale: Locale,
  { beat, licenses, sales, unprintable, currency, freeConsent, similar, others, call }: BeatPage,
): string {
  const title = `<bdi>${escapeHtml(beat.title)}</bdi>`;
  return `<div class="page">
<nav class="crumbs" aria-label="${locale.t("frame.breadcrumb")}"><a href="/">${locale.t("frame.beats")}</a> <span class="dim" aria-hidden="true">/</span> <a href="/?${escapeHtml(new URLSearchParams({ q: beat.genre.name }).toString())}">${escapeHtml(beat.genre.name)}</a></nav>
<div class="beat-head">
<div class="cover">${firstCoverOf(beat, 320, { hasText: false })}</div>
<div>
<h1${beat.title.length > longTitle ? ` class="long"` : ""}>${title}</h1>
<p class="by dim">${producerLink(beat)}</p>
<dl class="stats">
${[
  [locale.t("beat.tempo"), `${beat.bpm} BPM`],
  [locale.t("beat.key"), beat.key],
  [locale.t("beat.length"), beat.duration === 0 ? "" : clock(beat.duration)],
  [locale.t("beat.genre"), beat.genre.name],
  [locale.t("beat.plays"), locale.number(beat.play_count)],
]
  .filter(([, value]) => value !== "")
  .map(([name, value = ""]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`)
  .join("\n")}
</dl>
<div class="entries"><form method="post" data-in-place action="/favorites"><input type="hidden" name="add" value="${beat.id}"><button class="button">${locale.t("beat.favorite")}</button></form><a class="chip" href="/favorites?beat=${beat.id}" data-signed-in hidden>${locale.t("beat.intoPlaylist")}</a></div>
<div class="listen" ${trackAttributes(beat)}>
<audio controls preload="none" src="${escapeHtml(beat.audio_url)}" aria-label="${locale.t("beat.preview", { title: escapeHtml(beat.title) })}"></audio>
<div class="deck" hidden>${playButton}
<div class="wave"><canvas></canvas><input type="range" min="0" max="1000" value="0" aria-label="${locale.t("beat.position", { title: escapeHtml(beat.title) })}"></div>
<span class="time mono"></span></div>
</div>
</div>
</div>
${licenseTable(locale, beat, licenses, { currency, unprintable, sales })}
${freeConsent === null ? "" : freeDownload(locale, beat.id, freeConsent)}
<section class="section after-first-paint" aria-labelledby="about-title"><h2 id="about-title">${locale.t("beat.about")}</h2>
${beat.description === "" ? "" : `<p class="about"><bdi>${escapeHtml(beat.description)}</bdi></p>`}
${beat.tags.length === 0 ? "" : `<ul class="tries" aria-label="${locale.t("beat.tags")}">${beat.tags.map((tag) => `<li><a class="chip" href="/?${escapeHtml(new URLSearchParams({ q: tag }).toString())}"><bdi>${escapeHtml(tag)}</bdi></a></li>`).join("")}</ul>`}
<p class="dim"><a href="/beats/${beat.id}/report" rel="nofollow">${locale.t("beat.report")}</a></p>
</section>
<section class="section after-first-paint" aria-labelledby="similar-title">
<h2 id="similar-title">${locale.t("beat.similar")}</h2>
<p class="lead">${locale.t("beat.similarLead")}</p>
${similar.length === 0 ? `<p class="dim">${locale.t("beat.noneSimilar")}</p>` : similarList(locale, similar)}
</section>
${
  others.length === 0
    ? ""
    : `<section class="section after-first-paint" aria-labelledby="others-title">
<h2 id="others-title">${locale.t("beat.moreBy", { producer: producerLink(beat) })}</h2>
<p class="lead"></p>
${wall(locale, others, currency)}
</section>`
}
<section class="section after-first-paint" id="call" aria-labelledby="call-title">
<h2 id="call-title">${locale.t("beat.call")}</h2>
<p class="lead">${locale.t("beat.callLead")}</p>
${callPanel(locale, call)}
</section>
</div>`;
}

/** Adds the license to the basket, and shows the basket. */
const buyForm = (locale: Locale, beatId: number, type: Offer["type"], price: number): string =>
  `<form method="post" data-in-place action="/basket"><input type="hidden" name="beat_id" value="${beatId}"><input type="hidden" name="license_type" value="${type}"><input type="hidden" name="price" value="${Math.round(price * 100)}"><button class="button">${locale.t("licenses.buyThe", { hidden: '<span class="visually-hidden">', license: locale.t(`license.named.${type}`), end: "</span>" })}</button></form>`;

const licenseTable = (
  locale: Locale,
  beat: ShownBeat,
  licenses: readonly Offer[],
  { currency, unprintable, sales }: Pick<BeatPage, "currency" | "unprintable" | "sales">,
): string => `<section class="section after-first-paint" aria-labelledby="licenses-title"><h2 id="licenses-title">${locale.t("licenses.title")}</h2>
<table class="licenses" data-licenses-of="${beat.id}">
<caption class="visually-hidden">${locale.t("licenses.caption", { title: escapeHtml(beat.title) })}</caption>
<thead><tr><th scope="col">${locale.t("licenses.license")}</th>${licenses
  .slice(0, 1)
  .flatMap((license) => rightsOf(locale, license))
  .map(({ name }) => `<th scope="col">${name}</th>`)
  .join(
    "",
  )}<th scope="col" class="number">${locale.t("licenses.price")}</th><th scope="col"><span class="visually-hidden">${locale.t("licenses.buy")}</span></th></tr></thead>
<tbody>
${licenses.map((license) => licenseRow(locale, beat.id, license, currency)).join("\n")}
</tbody>
</table>
${
  unprintable.length === 0
    ? ""
    : `<p class="dim">${locale.t("licenses.boxes", { characters: `<bdi>${escapeHtml(unprintable.join(" "))}</bdi>` })}</p>`
}
${soldLine(locale, sales)}
${locale.language === "en" ? "" : `<p class="dim">${locale.t("licenses.english")}</p>\n`}<p class="dim" data-signed-out>${locale.t("licenses.noAccount")}</p>
</section>`;

/** The number of sold licenses; after the sale of the exclusive license, the numbers before and after it. */
function soldLine(locale: Locale, { sold, aroundExclusive }: BeatSales): string {
  if (sold === 0) return "";
  const proven = locale.t("licenses.sold", { count: sold, link: '<a href="/portal/docs/license-log">', end: "</a>" });
  const around =
    aroundExclusive === null
      ? ""
      : ` ${locale.t("licenses.soldAround", { before: locale.number(aroundExclusive.before), after: locale.number(aroundExclusive.after) })}`;
  return `<p class="dim">${proven}${around}</p>`;
}

const freeDownload = (locale: Locale, beatId: number, consent: string): string =>
  `<section class="section free-download" id="free-download" aria-labelledby="free-title"><h2 id="free-title">${locale.t("free.title")}</h2>
<p class="lead">${locale.t("free.lead")}</p>
<form method="post" action="/free-downloads"><input type="hidden" name="beat_id" value="${beatId}">
<label data-signed-out><span>${locale.t("free.email")}</span> <input type="email" name="email" maxlength="254" autocomplete="email"></label>
<label class="consent"><input type="checkbox" name="consent" value="yes" required> <span lang="en">${escapeHtml(consent)}</span></label>
<button class="button">${locale.t("free.get")}</button></form>
</section>`;

const rightsOf = (locale: Locale, { type, files, terms }: Offer): OfferedLicense["allows"] =>
  allowsOf(locale, type, files, terms.limits);

const licenseRow = (locale: Locale, beatId: number, license: Offer, currency: string): string => {
  const { type, price, available } = license;
  return `<tr data-license="${type}"><th scope="row">${locale.t(`license.${type}`)}</th>${rightsOf(locale, license)
    .map(({ name, text }) => `<td data-name="${name}">${text}</td>`)
    .join("")}<td class="number mono">${locale.price(price, currency)}</td><td class="number">${
    available ? buyForm(locale, beatId, type, price) : `<span class="gone">${locale.t("licenses.notOnSale")}</span>`
  }</td></tr>`;
};

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
