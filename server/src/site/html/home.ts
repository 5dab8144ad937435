import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { plans } from "../../access/plans.ts";
import { addressOf } from "../view.ts";
import { coverOf, factsOf, playButton, type ShownBeat, trackAttributes } from "./beats.ts";
import type { RunnableCall } from "./call.ts";
import { lens, waveform } from "./icons.ts";
import { callPart, type Results, resultsPart } from "./results.ts";
import { type ShownSimilar, similarList } from "./similar.ts";

export interface Home {
  results: Results;
  call: RunnableCall;
  /** Searches that find something. */
  tries: readonly string[];
  /** A beat, and those like it; null for a catalogue without beats. */
  alike: { beat: ShownBeat; similar: readonly ShownSimilar[] } | null;
}

export function homeMain({ results, call, alike, tries }: Home, siteName: string): string {
  return `<div class="opening"><div class="page">
${waveform(56)}
<h1>Hear it, find it, sell it from your code.</h1>
<p class="lead">A marketplace for beats with a JSON API: search that understands tempo and key, similar beats that say why,
licenses that hold, webhooks that can be debugged.</p>
<form class="find" role="search" data-search action="/" method="get">
<label>${lens}<span class="visually-hidden">Search beats</span>
<input type="search" name="q" value="${escapeHtml(results.view.q)}" maxlength="200" placeholder="${escapeHtml(tries[0] ?? "140 bpm a minor")}" autocomplete="off" spellcheck="false" enterkeyhint="search"></label>
<button class="button primary">Search</button>
</form>
<div class="tries"><span class="dim">Try</span>${tries
    .map(
      (q) =>
        `<a class="chip" data-live href="${escapeHtml(addressOf({ q, sort: "popular", page: 1 }))}">${escapeHtml(q)}</a>`,
    )
    .join("")}</div>
</div></div>
<div class="page">
${resultsPart(results, siteName)}
${alike === null ? "" : alikeSection(alike)}
${callPart(call)}
${limits}
${ways}
</div>`;
}

const alikeSection = ({
  beat,
  similar,
}: NonNullable<Home["alike"]>): string => `<section class="section behind" aria-labelledby="alike-title">
<h2 id="alike-title">Similar beats say why</h2>
<p class="lead">Tempo, with half and double time folded, key on the circle of fifths, genre. Each bar is as long as the part
that it has in the score.</p>
<div class="alike">
<div class="beat" ${trackAttributes(beat)}>
<div class="cover">${coverOf(beat, 320)}${playButton}</div>
<div class="line"><a class="title" href="/beats/${beat.id}"><bdi>${escapeHtml(beat.title)}</bdi></a></div>
<p><bdi>${escapeHtml(beat.producer_name)}</bdi></p><p>${escapeHtml(factsOf(beat))}</p>
</div>
${similarList(similar)}
</div>
</section>`;

const number = (limit: number): string => limit.toLocaleString("en");

const limits = `<section class="section" aria-labelledby="limits-title">
<h2 id="limits-title">Limits that are said, and kept</h2>
<p class="lead">Exact sliding windows for each key. Every response says what is left, and a refusal says when to come back.</p>
<div class="columns">
<table>
<caption class="visually-hidden">Requests of a key by plan</caption>
<thead><tr><th scope="col">Plan</th><th scope="col" class="number">A minute</th><th scope="col" class="number">An hour</th><th scope="col" class="number">A day</th></tr></thead>
<tbody>
${Object.entries(plans)
  .filter(([, windows]) => windows.length > 0)
  .map(
    ([name, windows]) =>
      `<tr><th scope="row" class="mono">${name}</th>${windows.map(({ limit }) => `<td class="number">${number(limit)}</td>`).join("")}</tr>`,
  )
  .join("\n")}
</tbody>
</table>
<ul class="facts">
<li><b>JavaScript, Python, PHP and Ruby</b>: one behaviour in four libraries, which turn pages and retry where that helps.</li>
<li><b>A sandbox</b> that moves no money, until Stripe is connected.</li>
<li><b>Webhooks</b> signed, retried, replayed, and an inbox that needs no server.</li>
<li><b>Keys stay on servers</b>: this page has none, and neither has the explorer.</li>
</ul>
</div>
</section>`;

const ways = `<nav class="ways" aria-label="Where to go">
<a href="/portal/register" data-signed-out><b>Get a key</b>A name and an address. Plan standard, at once.</a>
<a href="/portal" data-signed-in hidden><b>Open the portal</b>Your keys, calls and webhooks.</a>
<a href="/portal/docs"><b>Read the guides</b>Webhooks, mirrors, filters, uploads, limits: what to do, and why.</a>
<a href="/explorer"><b>Read the reference</b>Every operation, field and refusal, with a program in five languages.</a>
<a href="/portal/explorer"><b>Try a call</b>Every call from a form, with what it sends.</a>
<a href="/openapi.json"><b>Take the document</b>OpenAPI 3.1, for generators and linters.</a>
</nav>`;
