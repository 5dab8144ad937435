import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { coverOf, playButton, priceText, producerLink, type ShownBeat, trackAttributes, wall } from "./beats.ts";
import { callPanel, type RunnableCall } from "./call.ts";
import { type ShownSimilar, similarList } from "./similar.ts";

export interface BeatPage {
  beat: ShownBeat & { description: string; tags: readonly string[] };
  licenses: readonly Offer[];
  /** Characters of title and producer that the PDF certificate prints as boxes. */
  /** How many licenses were sold, by the license log. */
  sold: number;
  unprintable: readonly string[];
  currency: string;
  /** The sentence to agree to for the free MP3; null where there is none. */
  freeConsent: string | null;
  similar: readonly ShownSimilar[];
  /** Of the same producer, without this one. */
  others: readonly ShownBeat[];
  call: RunnableCall;
}

export interface Offer {
  type: "basic" | "premium" | "unlimited" | "exclusive";
  price: number;
  available: boolean;
  /** The cells of its row, in the same order for each license. */
  allows: readonly { name: string; text: string }[];
}

/** Characters of a title that would take many lines in the largest size. */
const longTitle = 32;

const licenseLabels = { basic: "Basic", premium: "Premium", unlimited: "Unlimited", exclusive: "Exclusive" } as const;

export function beatMain({
  beat,
  licenses,
  sold,
  unprintable,
  currency,
  freeConsent,
  similar,
  others,
  call,
}: BeatPage): string {
  const title = `<bdi>${escapeHtml(beat.title)}</bdi>`;
  return `<div class="page">
<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Beats</a> <span class="dim" aria-hidden="true">/</span> <a href="/?${escapeHtml(new URLSearchParams({ q: beat.genre.name }).toString())}">${escapeHtml(beat.genre.name)}</a></nav>
<div class="beat-head">
<div class="cover">${coverOf(beat, 320).replace(' loading="lazy"', "")}</div>
<div>
<h1${beat.title.length > longTitle ? ` class="long"` : ""}>${title}</h1>
<p class="by dim">${producerLink(beat)}</p>
<dl class="stats">
${[
  ["Tempo", `${beat.bpm} BPM`],
  ["Key", beat.key],
  ["Length", beat.duration === 0 ? "" : clock(beat.duration)],
  ["Genre", beat.genre.name],
  ["Plays", beat.play_count.toLocaleString("en")],
]
  .filter(([, value]) => value !== "")
  .map(([name, value = ""]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`)
  .join("\n")}
</dl>
<div class="entries"><form method="post" data-in-place action="/favorites"><input type="hidden" name="add" value="${beat.id}"><button class="button">Add to favorites</button></form><a class="chip" href="/favorites?beat=${beat.id}" data-signed-in hidden>Into a playlist</a></div>
<div class="listen" ${trackAttributes(beat)}>
<audio controls preload="none" src="${escapeHtml(beat.audio_url)}" aria-label="Preview of ${escapeHtml(beat.title)}"></audio>
<div class="deck" hidden>${playButton}
<div class="wave"><canvas></canvas><input type="range" min="0" max="1000" value="0" aria-label="Position in ${escapeHtml(beat.title)}"></div>
<span class="time mono"></span></div>
</div>
</div>
</div>
${licenseTable(beat, licenses, { currency, unprintable, sold })}
${freeConsent === null ? "" : freeDownload(beat.id, freeConsent)}
<section class="section" aria-labelledby="about-title"><h2 id="about-title">About</h2>
${beat.description === "" ? "" : `<p class="about"><bdi>${escapeHtml(beat.description)}</bdi></p>`}
${beat.tags.length === 0 ? "" : `<ul class="tries" aria-label="Tags">${beat.tags.map((tag) => `<li><a class="chip" href="/?${escapeHtml(new URLSearchParams({ q: tag }).toString())}"><bdi>${escapeHtml(tag)}</bdi></a></li>`).join("")}</ul>`}
<p class="dim"><a href="/beats/${beat.id}/report" rel="nofollow">Report this beat</a></p>
</section>
<section class="section behind" aria-labelledby="similar-title">
<h2 id="similar-title">Similar beats, and why</h2>
<p class="lead">Each bar is as long as the part that tempo, key or genre has in the score.</p>
${similar.length === 0 ? `<p class="dim">No beat is within reach of this tempo.</p>` : similarList(similar)}
</section>
${
  others.length === 0
    ? ""
    : `<section class="section behind" aria-labelledby="others-title">
<h2 id="others-title">More by ${producerLink(beat)}</h2>
<p class="lead"></p>
${wall(others, currency)}
</section>`
}
<section class="section" id="call" aria-labelledby="call-title">
<h2 id="call-title">The same as a call</h2>
<p class="lead">Similar beats, with the figures that the bars are drawn from.</p>
${callPanel(call)}
</section>
</div>`;
}

/** Puts the license into the basket, and shows it. */
const buyForm = (beatId: number, type: Offer["type"], price: number): string =>
  `<form method="post" data-in-place action="/basket"><input type="hidden" name="beat_id" value="${beatId}"><input type="hidden" name="license_type" value="${type}"><input type="hidden" name="price" value="${Math.round(price * 100)}"><button class="button">Buy<span class="visually-hidden"> the ${licenseLabels[type].toLowerCase()} license</span></button></form>`;

const licenseTable = (
  beat: ShownBeat,
  licenses: readonly Offer[],
  { currency, unprintable, sold }: Pick<BeatPage, "currency" | "unprintable" | "sold">,
): string => `<section class="section" aria-labelledby="licenses-title"><h2 id="licenses-title">Licenses</h2>
<table class="licenses" data-licenses-of="${beat.id}">
<caption class="visually-hidden">Licenses of ${escapeHtml(beat.title)}, and what each allows</caption>
<thead><tr><th scope="col">License</th>${(licenses[0]?.allows ?? []).map(({ name }) => `<th scope="col">${name}</th>`).join("")}<th scope="col" class="number">Price</th><th scope="col"><span class="visually-hidden">Buy</span></th></tr></thead>
<tbody>
${licenses.map((license) => licenseRow(beat.id, license, currency)).join("\n")}
</tbody>
</table>
${
  unprintable.length === 0
    ? ""
    : `<p class="dim">The PDF certificate prints a box for <bdi>${escapeHtml(unprintable.join(" "))}</bdi>, as its fonts lack that. Its signed text and its public page have the names in full.</p>`
}
${sold === 0 ? "" : `<p class="dim">${sold === 1 ? "1 license was" : `${sold.toLocaleString("en-US")} licenses were`} sold, as the <a href="/portal/docs/license-log">license log</a> proves.</p>`}
<p class="dim" data-signed-out>No account is needed: an e-mail address is enough.</p>
</section>`;

const freeDownload = (beatId: number, consent: string): string =>
  `<section class="section free-download" id="free-download" aria-labelledby="free-title"><h2 id="free-title">Free download</h2>
<p class="lead">The MP3 with the producer's tag, for use without pay.</p>
<form method="post" action="/free-downloads"><input type="hidden" name="beat_id" value="${beatId}">
<label data-signed-out><span>E-mail address</span> <input type="email" name="email" maxlength="254" autocomplete="email"></label>
<label class="consent"><input type="checkbox" name="consent" value="yes" required> <span>${escapeHtml(consent)}</span></label>
<button class="button">Get the MP3</button></form>
</section>`;

const licenseRow = (beatId: number, { type, price, available, allows }: Offer, currency: string): string =>
  `<tr data-license="${type}"><th scope="row">${licenseLabels[type]}</th>${allows
    .map(({ name, text }) => `<td data-name="${name}">${text}</td>`)
    .join("")}<td class="number mono">${priceText(price, currency)}</td><td class="number">${
    available ? buyForm(beatId, type, price) : `<span class="gone">Not on sale</span>`
  }</td></tr>`;

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
