import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { searchReference } from "../../resources/search/present.ts";
import { addressOf, beatsPerPage, maxPage, titleOf, type View } from "../view.ts";
import { priceText, type ShownBeat, wall } from "./beats.ts";
import { callPanel, type RunnableCall } from "./call.ts";
import { fullTitle } from "./document.ts";
import { silence } from "./icons.ts";

export interface Results {
  view: View;
  beats: readonly ShownBeat[];
  total: number;
  interpreted: ReturnType<typeof searchReference>["interpreted"];
  currency: string;
}

/** The wall, and what was understood of the search. It is replaced while somebody types. */
export function resultsPart(results: Results, siteName: string): string {
  const { view, beats, total, currency } = results;
  return `<section class="results" id="results" data-title="${escapeHtml(fullTitle(titleOf(view), siteName))}" aria-labelledby="results-title">
<div class="results-head">
<h2 id="results-title" tabindex="-1">${view.q === "" ? (view.sort === "newest" ? "New beats" : "Popular beats") : `Beats for “<bdi>${escapeHtml(view.q)}</bdi>”`}</h2>
<span class="dim" id="results-status" role="status">${total === 1 ? "1 beat" : `${total.toLocaleString("en")} beats`}</span>
${understood(results)}
${view.q === "" ? orders(view) : ""}
</div>
${beats.length === 0 ? nothing : wall(beats, currency)}
${pager(view, total)}
</section>`;
}

/** The view as a call. It follows the search as well. */
export const callPart = (
  call: RunnableCall,
): string => `<section class="section" id="call" aria-labelledby="call-title">
<h2 id="call-title">What you see is one call</h2>
<p class="lead">The wall above is this response of the API. Search for something else and the call follows. It runs here
without a key; a program of yours takes one.</p>
${callPanel(call)}
</section>`;

function understood({ view: { q }, interpreted, currency }: Results): string {
  if (q === "" || interpreted === undefined) return "";
  const {
    bpm_min: min,
    bpm_max: max,
    price_min: least,
    price_max: most,
    key,
    corrected = {},
    ignored = [],
  } = interpreted;
  const tempo =
    min === undefined && max === undefined
      ? []
      : [
          min === max
            ? `${min} BPM`
            : min === undefined
              ? `up to ${max} BPM`
              : max === undefined
                ? `from ${min} BPM`
                : `${min}–${max} BPM`,
        ];
  const keys = key === undefined ? [] : key.split(",");
  const prices = [
    ...(least === undefined ? [] : [`from ${priceText(least, currency)}`]),
    ...(most === undefined ? [] : [`up to ${priceText(most, currency)}`]),
  ];
  const chips = [
    ...tempo.map((text) => `<li class="chip on">${text}</li>`),
    ...keys.map((text) => `<li class="chip on">${escapeHtml(text)}</li>`),
    ...prices.map((text) => `<li class="chip on">${text}</li>`),
    ...(interpreted.q === "" ? [] : [`<li class="chip on"><bdi>${escapeHtml(interpreted.q)}</bdi></li>`]),
    ...Object.entries(corrected).map(
      ([from, to]) => `<li class="chip"><s><bdi>${escapeHtml(from)}</bdi></s> → <bdi>${escapeHtml(to)}</bdi></li>`,
    ),
    ...ignored.map((text) => `<li class="chip">without <bdi>${escapeHtml(text)}</bdi></li>`),
  ];
  return `<ul class="understood" aria-label="Understood as">${chips.join("")}</ul>`;
}

const orders = (view: View): string =>
  `<div class="end">${(["popular", "newest"] as const)
    .map(
      (sort) =>
        `<a class="chip${view.sort === sort ? " on" : ""}" data-live href="${addressOf({ q: "", sort, page: 1 })}"${view.sort === sort ? ' aria-current="true"' : ""}>${sort === "newest" ? "New" : "Popular"}</a>`,
    )
    .join("")}</div>`;

function pager(view: View, total: number): string {
  const last = Math.min(maxPage, Math.ceil(total / beatsPerPage));
  if (last <= 1) return "";
  const link = (page: number, text: string): string =>
    page < 1 || page > last
      ? ""
      : `<a class="button" data-live href="${escapeHtml(addressOf({ ...view, page }))}" rel="${text === "Next" ? "next" : "prev"}">${text}</a>`;
  return `<nav class="pager" aria-label="Pages">${link(view.page - 1, "Previous")}<span class="dim">Page ${view.page} of ${last}</span>${link(view.page + 1, "Next")}</nav>`;
}

const nothing = `<div class="nothing">${silence}
<h3>No beat has all of this</h3>
<p class="dim">Leave out a word, or try a genre, a tempo such as 140 bpm, or a key such as a minor.</p></div>`;
