import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { plans } from "../../access/plans.ts";
import type { searchReference } from "../../resources/search/search-page.ts";
import { addressOf, beatsPerPage, maxPage, titleOf, type View } from "../view.ts";
import {
  coverOf,
  factsOf,
  playButton,
  type ShownBeat,
  type ShownSimilar,
  similarList,
  trackAttributes,
  wall,
} from "./beats.ts";
import { callPanel, type RunnableCall } from "./call.ts";
import { fullTitle, lens, silence, waveform } from "./document.ts";

export interface Results {
  view: View;
  beats: readonly ShownBeat[];
  total: number;
  interpreted: ReturnType<typeof searchReference>["interpreted"];
  currency: string;
}

/** The results, and the interpretation of the search. A script replaces this part while a person types. */
export function resultsPart(locale: Locale, results: Results, siteName: string): string {
  const { view, beats, total, currency } = results;
  return `<section class="results" id="results" data-title="${escapeHtml(fullTitle(locale, titleOf(view), siteName))}" aria-labelledby="results-title">
<div class="results-head">
<h2 id="results-title" tabindex="-1">${headingOf(locale, view)}</h2>
<span class="dim" id="results-status" role="status">${locale.t("beats.count", { count: total })}</span>
${understood(locale, results)}
${view.q === "" ? orders(locale, view) : ""}
</div>
${beats.length === 0 ? noResults(locale) : wall(locale, beats, currency)}
${pager(locale, view, total)}
</section>`;
}

/** The view as a call of the API. It changes with the search. */
export const callPart = (
  locale: Locale,
  call: RunnableCall,
): string => `<section class="section after-first-paint" id="call" aria-labelledby="call-title">
<h2 id="call-title">${locale.t("call.title")}</h2>
<p class="lead">${locale.t("call.lead")}</p>
${callPanel(locale, call)}
</section>`;

const headingOf = (locale: Locale, { q, sort }: View): string =>
  q === ""
    ? locale.t(sort === "newest" ? "results.newest" : "results.popular")
    : locale.t("results.found", { text: `<bdi>${escapeHtml(q)}</bdi>` });

/** The tempo of a search in words, as a list of one text; empty without a tempo. */
function tempoText(locale: Locale, min: number | undefined, max: number | undefined): string[] {
  if (min === undefined && max === undefined) return [];
  if (min === max) return [`${min} BPM`];
  if (min === undefined) return [locale.t("results.upTo", { value: `${max} BPM` })];
  if (max === undefined) return [locale.t("results.from", { value: `${min} BPM` })];
  return [`${min}–${max} BPM`];
}

function understood(locale: Locale, { view: { q }, interpreted, currency }: Results): string {
  if (q === "" || interpreted === undefined) return "";
  const {
    bpm_min: min,
    bpm_max: max,
    price_min: least,
    price_max: most,
    key,
    widened = {},
    corrected = {},
    ignored = [],
  } = interpreted;
  const tempo = tempoText(locale, min, max);
  const keys = key === undefined ? [] : key.split(",");
  const prices = [
    ...(least === undefined ? [] : [locale.t("results.from", { value: locale.price(least, currency) })]),
    ...(most === undefined ? [] : [locale.t("results.upTo", { value: locale.price(most, currency) })]),
  ];
  const chips = [
    ...tempo.map((text) => `<li class="chip on">${text}</li>`),
    ...keys.map((text) => `<li class="chip on">${escapeHtml(text)}</li>`),
    ...prices.map((text) => `<li class="chip on">${text}</li>`),
    ...(interpreted.q === "" ? [] : [`<li class="chip on"><bdi>${escapeHtml(interpreted.q)}</bdi></li>`]),
    ...Object.keys(widened).map((text) => chipOf(locale.t("results.near", { text: `<bdi>${escapeHtml(text)}</bdi>` }))),
    ...Object.entries(corrected).map(
      ([from, to]) => `<li class="chip"><s><bdi>${escapeHtml(from)}</bdi></s> → <bdi>${escapeHtml(to)}</bdi></li>`,
    ),
    ...ignored.map((text) => chipOf(locale.t("results.without", { text: `<bdi>${escapeHtml(text)}</bdi>` }))),
  ];
  return `<ul class="understood" aria-label="${locale.t("results.understood")}">${chips.join("")}</ul>`;
}

/** A chip is a row with gaps, so a sentence in it needs a separate element. */
const chipOf = (sentence: string): string => `<li class="chip"><span>${sentence}</span></li>`;

const orders = (locale: Locale, view: View): string =>
  `<div class="end">${(["popular", "newest"] as const)
    .map(
      (sort) =>
        `<a class="chip${view.sort === sort ? " on" : ""}" data-live href="${addressOf({ q: "", sort, page: 1 })}"${view.sort === sort ? ' aria-current="true"' : ""}>${locale.t(sort === "newest" ? "results.new" : "results.byPopularity")}</a>`,
    )
    .join("")}</div>`;

function pager(locale: Locale, view: View, total: number): string {
  const last = Math.min(maxPage, Math.ceil(total / beatsPerPage));
  if (last <= 1) return "";
  const link = (page: number, rel: "prev" | "next"): string =>
    page < 1 || page > last
      ? ""
      : `<a class="button" data-live href="${escapeHtml(addressOf({ ...view, page }))}" rel="${rel}">${locale.t(rel === "next" ? "frame.next" : "frame.previous")}</a>`;
  return `<nav class="pager" aria-label="${locale.t("frame.pages")}">${link(view.page - 1, "prev")}<span class="dim">${locale.t("frame.page", { page: view.page, last })}</span>${link(view.page + 1, "next")}</nav>`;
}

const noResults = (locale: Locale) => `<div class="nothing">${silence}
<h3>${locale.t("results.nothing")}</h3>
<p class="dim">${locale.t("results.nothingHint")}</p></div>`;

export interface Home {
  results: Results;
  call: RunnableCall;
  /** Searches that have results. */
  tries: readonly string[];
  /** A beat, and similar beats; null for a catalogue without beats. */
  alike: { beat: ShownBeat; similar: readonly ShownSimilar[] } | null;
}

export function homeMain(locale: Locale, { results, call, alike, tries }: Home, siteName: string): string {
  return `<div class="opening"><div class="page">
${waveform(56)}
<h1>${locale.t("home.heading")}</h1>
<p class="lead">${locale.t("home.lead")}</p>
<form class="find" role="search" data-search action="/" method="get">
<label>${lens}<span class="visually-hidden">${locale.t("home.searchLabel")}</span>
<input type="search" name="q" value="${escapeHtml(results.view.q)}" maxlength="200" placeholder="${escapeHtml(tries[0] ?? "140 bpm a minor")}" autocomplete="off" spellcheck="false" enterkeyhint="search"></label>
<button class="button primary">${locale.t("home.search")}</button>
</form>
<div class="tries"><span class="dim">${locale.t("home.try")}</span>${tries
    .map(
      (q) =>
        `<a class="chip" data-live href="${escapeHtml(addressOf({ q, sort: "popular", page: 1 }))}">${escapeHtml(q)}</a>`,
    )
    .join("")}</div>
</div></div>
<div class="page">
${resultsPart(locale, results, siteName)}
${alike === null ? "" : alikeSection(locale, alike)}
${callPart(locale, call)}
${limits(locale)}
${navigation(locale)}
</div>`;
}

const alikeSection = (
  locale: Locale,
  { beat, similar }: NonNullable<Home["alike"]>,
): string => `<section class="section after-first-paint" aria-labelledby="alike-title">
<h2 id="alike-title">${locale.t("home.alike")}</h2>
<p class="lead">${locale.t("home.alikeLead")}</p>
<div class="alike">
<div class="beat" ${trackAttributes(beat)}>
<div class="cover">${coverOf(beat, 320)}${playButton}</div>
<div class="line"><a class="title" href="/beats/${beat.id}"><bdi>${escapeHtml(beat.title)}</bdi></a></div>
<p><bdi>${escapeHtml(beat.producer_name)}</bdi></p><p>${escapeHtml(factsOf(beat))}</p>
</div>
${similarList(locale, similar)}
</div>
</section>`;

/** Marks the highlighted words. */
const bold = { bold: "<b>", end: "</b>" };

const limits = (locale: Locale) => `<section class="section after-first-paint" aria-labelledby="limits-title">
<h2 id="limits-title">${locale.t("home.limits")}</h2>
<p class="lead">${locale.t("home.limitsLead")}</p>
<div class="columns">
<table>
<caption class="visually-hidden">${locale.t("home.limitsCaption")}</caption>
<thead><tr><th scope="col">${locale.t("home.plan")}</th><th scope="col" class="number">${locale.t("home.minute")}</th><th scope="col" class="number">${locale.t("home.hour")}</th><th scope="col" class="number">${locale.t("home.day")}</th></tr></thead>
<tbody>
${Object.entries(plans)
  .filter(([, windows]) => windows.length > 0)
  .map(
    ([name, windows]) =>
      `<tr><th scope="row" class="mono">${name}</th>${windows.map(({ limit }) => `<td class="number">${locale.number(limit)}</td>`).join("")}</tr>`,
  )
  .join("\n")}
</tbody>
</table>
<ul class="facts">
<li>${locale.t("home.libraries", bold)}</li>
<li>${locale.t("home.sandbox", bold)}</li>
<li>${locale.t("home.webhooks", bold)}</li>
<li>${locale.t("home.noKeys", bold)}</li>
</ul>
</div>
</section>`;

const navigation = (locale: Locale) => `<nav class="ways" aria-label="${locale.t("home.ways")}">
<a href="/portal/register" data-signed-out>${locale.t("home.wayKey", bold)}</a>
<a href="/portal" data-signed-in hidden>${locale.t("home.wayPortal", bold)}</a>
<a href="/portal/docs">${locale.t("home.wayGuides", bold)}</a>
<a href="/explorer">${locale.t("home.wayReference", bold)}</a>
<a href="/portal/explorer">${locale.t("home.wayTry", bold)}</a>
<a href="/openapi.json">${locale.t("home.wayDocument", bold)}</a>
</nav>`;
