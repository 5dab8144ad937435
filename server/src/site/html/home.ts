import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { plans } from "../../access/plans.ts";
import { addressOf } from "../view.ts";
import {
  coverOf,
  factsOf,
  playButton,
  type ShownBeat,
  type ShownSimilar,
  similarList,
  trackAttributes,
} from "./beats.ts";
import type { RunnableCall } from "./call.ts";
import { lens, waveform } from "./document.ts";
import { callPart, type Results, resultsPart } from "./results.ts";

export interface Home {
  results: Results;
  call: RunnableCall;
  /** Searches that find something. */
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
${ways(locale)}
</div>`;
}

const alikeSection = (
  locale: Locale,
  { beat, similar }: NonNullable<Home["alike"]>,
): string => `<section class="section behind" aria-labelledby="alike-title">
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

const limits = (locale: Locale) => `<section class="section" aria-labelledby="limits-title">
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

const ways = (locale: Locale) => `<nav class="ways" aria-label="${locale.t("home.ways")}">
<a href="/portal/register" data-signed-out>${locale.t("home.wayKey", bold)}</a>
<a href="/portal" data-signed-in hidden>${locale.t("home.wayPortal", bold)}</a>
<a href="/portal/docs">${locale.t("home.wayGuides", bold)}</a>
<a href="/explorer">${locale.t("home.wayReference", bold)}</a>
<a href="/portal/explorer">${locale.t("home.wayTry", bold)}</a>
<a href="/openapi.json">${locale.t("home.wayDocument", bold)}</a>
</nav>`;
