import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { linkLabel } from "../../resources/users/links.ts";
import type { PublicProducer } from "../../resources/users/public-producers.ts";
import { producerPath } from "../../resources/users/public-producers.ts";
import { type ShownBeat, wall } from "../html/beats.ts";
import { beatsPerPage, maxPage } from "../view.ts";
import { type ProducerView, producerAddress } from "./view.ts";

export interface ProducerPage {
  producer: PublicProducer;
  beats: readonly ShownBeat[];
  total: number;
  /** Of the producer's beats, to choose from. */
  genres: readonly { id: number; name: string }[];
  view: ProducerView;
  currency: string;
}

const sorts = {
  newest: "New",
  popular: "Popular",
  price_asc: "Price, low first",
  price_desc: "Price, high first",
  bpm_asc: "Tempo, slow first",
  bpm_desc: "Tempo, fast first",
} as const;

export function producerMain(page: ProducerPage): string {
  const { producer, beats, total, currency } = page;
  const { username, display_name: name, bio, avatar_url: picture, beats_count: count } = producer;
  return `<div class="page">
<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Beats</a> <span class="dim" aria-hidden="true">/</span> Producers</nav>
<div class="${isHttps(picture) ? "beat-head" : "producer-head"}">
${isHttps(picture) ? `<div class="cover"><img src="${escapeHtml(picture)}" alt="" width="320" height="320" decoding="async"></div>` : ""}
<div>
<h1><bdi>${escapeHtml(name)}</bdi></h1>
<p class="by dim">${count === 1 ? "1 beat" : `${count.toLocaleString("en")} beats`}</p>
${bio === null || bio === "" ? "" : `<p class="about"><bdi>${escapeHtml(bio).replaceAll("\n", "<br>")}</bdi></p>`}
<ul class="tries" aria-label="Links">${linksOf(producer)
    .map(
      (link) =>
        `<li><a class="chip" href="${escapeHtml(link)}" rel="me nofollow noopener">${escapeHtml(linkLabel(link))}</a></li>`,
    )
    .join("")}<li><a class="chip" href="${producerPath(username)}/feed.atom">Feed of new beats</a></li></ul>
<form method="post" data-in-place action="/favorites"><input type="hidden" name="follow" value="${producer.id}"><button class="button">Follow</button></form>
</div>
</div>
<section class="section" aria-labelledby="beats-title">
<h2 id="beats-title">Beats</h2>
${filterForm(page)}
<p class="dim" role="status">${total === 1 ? "1 beat" : `${total.toLocaleString("en")} beats`}</p>
${beats.length === 0 ? `<p class="dim">No beat has all of this; leave out a filter.</p>` : wall(beats, currency)}
${pager(page)}
</section>
</div>`;
}

function filterForm({ producer, genres, view }: ProducerPage): string {
  const option = (value: string, text: string, isChosen: boolean): string =>
    `<option value="${escapeHtml(value)}"${isChosen ? " selected" : ""}>${escapeHtml(text)}</option>`;
  const field = (name: keyof ProducerView, label: string, attributes: string): string =>
    `<label><span>${label}</span> <input name="${name}" value="${escapeHtml(String(view[name] ?? ""))}" ${attributes}></label>`;
  return `<form class="filters" method="get" action="${producerPath(producer.username)}">
<label><span>Genre</span> <select name="genre">${option("", "All", view.genre === undefined)}${genres.map(({ id, name }) => option(String(id), name, view.genre?.includes(id) === true)).join("")}</select></label>
${field("bpm_min", "BPM from", `inputmode="numeric" size="4"`)}
${field("bpm_max", "to", `inputmode="numeric" size="4"`)}
${field("key", "Key", `size="8" placeholder="A minor"`)}
${field("price_min", "Price from", `inputmode="decimal" size="6"`)}
${field("price_max", "to", `inputmode="decimal" size="6"`)}
<label><span>Order</span> <select name="sort">${Object.entries(sorts)
    .map(([value, text]) => option(value, text, (view.sort ?? "newest") === value))
    .join("")}</select></label>
<button class="button">Show</button>
</form>`;
}

function pager({ producer, view, total }: ProducerPage): string {
  const last = Math.min(maxPage, Math.ceil(total / beatsPerPage));
  const { page = 1 } = view;
  if (last <= 1) return "";
  const link = (to: number, text: string, rel: string): string =>
    to < 1 || to > last
      ? ""
      : `<a class="button" rel="${rel}" href="${escapeHtml(producerAddress(producer.username, { ...view, page: to }))}">${text}</a>`;
  return `<nav class="pager" aria-label="Pages">${link(page - 1, "Previous", "prev")}<span class="dim">Page ${page} of ${last}</span>${link(page + 1, "Next", "next")}</nav>`;
}

/** The producer's addresses elsewhere that a browser may open: the website, then the links. */
export const linksOf = ({ website, links }: Pick<PublicProducer, "website" | "links">): string[] => [
  ...new Set([...(isHttps(website) ? [website] : []), ...links]),
];

const isHttps = (url: string | null): url is string => url !== null && URL.parse(url)?.protocol === "https:";
