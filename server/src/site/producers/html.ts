import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { readParameters } from "@beatmarket/http/input/validate.ts";
import Type, { type Static } from "typebox";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { beatSorts, filterParameters } from "../../resources/beats/filters/parameters.ts";
import { type PublicProducer, producerPath } from "../../resources/users/producers.ts";
import { linkLabel } from "../../resources/users/profile.ts";
import { type ShownBeat, wall } from "../html/beats.ts";
import { beatsPerPage, maxPage } from "../view.ts";

export interface ProducerPage {
  producer: PublicProducer;
  beats: readonly ShownBeat[];
  total: number;
  /** The genres of the producer's beats, as a filter. */
  genres: readonly { id: number; name: string }[];
  view: ProducerView;
  currency: string;
}

const sorts = {
  newest: "producer.newest",
  popular: "producer.popular",
  price_asc: "producer.priceAsc",
  price_desc: "producer.priceDesc",
  bpm_asc: "producer.bpmAsc",
  bpm_desc: "producer.bpmDesc",
} as const;

export function producerMain(locale: Locale, page: ProducerPage): string {
  const { producer, beats, total, currency } = page;
  const { username, display_name: name, bio, avatar_url: picture, beats_count: count } = producer;
  return `<div class="page">
<nav class="crumbs" aria-label="${locale.t("frame.breadcrumb")}"><a href="/">${locale.t("frame.beats")}</a> <span class="dim" aria-hidden="true">/</span> ${locale.t("producer.crumb")}</nav>
<div class="${isHttps(picture) ? "beat-head" : "producer-head"}">
${isHttps(picture) ? `<div class="cover"><img src="${escapeHtml(picture)}" alt="" width="320" height="320" decoding="async"></div>` : ""}
<div>
<h1><bdi>${escapeHtml(name)}</bdi></h1>
<p class="by dim">${locale.t("beats.count", { count })}</p>
${bio === null || bio === "" ? "" : `<p class="about"><bdi>${escapeHtml(bio).replaceAll("\n", "<br>")}</bdi></p>`}
<ul class="tries" aria-label="${locale.t("producer.links")}">${linksOf(producer)
    .map(
      (link) =>
        `<li><a class="chip" href="${escapeHtml(link)}" rel="me nofollow noopener">${escapeHtml(linkLabel(link))}</a></li>`,
    )
    .join("")}<li><a class="chip" href="${producerPath(username)}/feed.atom">${locale.t("producer.feed")}</a></li></ul>
<form method="post" data-in-place action="/favorites"><input type="hidden" name="follow" value="${producer.id}"><button class="button">${locale.t("producer.follow")}</button></form>
</div>
</div>
<section class="section" aria-labelledby="beats-title">
<h2 id="beats-title">${locale.t("frame.beats")}</h2>
${filterForm(locale, page)}
<p class="dim" role="status">${locale.t("beats.count", { count: total })}</p>
${beats.length === 0 ? `<p class="dim">${locale.t("producer.none")}</p>` : wall(locale, beats, currency, { isFirst: true })}
${pager(locale, page)}
</section>
</div>`;
}

function filterForm(locale: Locale, { producer, genres, view }: ProducerPage): string {
  const option = (value: string, text: string, isChosen: boolean): string =>
    `<option value="${escapeHtml(value)}"${isChosen ? " selected" : ""}>${escapeHtml(text)}</option>`;
  const field = (name: keyof ProducerView, label: string, attributes: string): string =>
    `<label><span>${label}</span> <input name="${name}" value="${escapeHtml(String(view[name] ?? ""))}" ${attributes}></label>`;
  return `<form class="filters" method="get" action="${producerPath(producer.username)}">
<label><span>${locale.t("beat.genre")}</span> <select name="genre">${option("", locale.t("producer.all"), view.genre === undefined)}${genres.map(({ id, name }) => option(String(id), name, view.genre?.includes(id) === true)).join("")}</select></label>
${field("bpm_min", locale.t("producer.bpmFrom"), `inputmode="numeric" size="4"`)}
${field("bpm_max", locale.t("producer.to"), `inputmode="numeric" size="4"`)}
${field("key", locale.t("beat.key"), `size="8" placeholder="A minor"`)}
${field("price_min", locale.t("producer.priceFrom"), `inputmode="decimal" size="6"`)}
${field("price_max", locale.t("producer.to"), `inputmode="decimal" size="6"`)}
<label><span>${locale.t("producer.order")}</span> <select name="sort">${Object.entries(sorts)
    .map(([value, text]) => option(value, locale.t(text), (view.sort ?? "newest") === value))
    .join("")}</select></label>
<button class="button">${locale.t("producer.show")}</button>
</form>`;
}

function pager(locale: Locale, { producer, view, total }: ProducerPage): string {
  const last = Math.min(maxPage, Math.ceil(total / beatsPerPage));
  const { page = 1 } = view;
  if (last <= 1) return "";
  const link = (to: number, text: string, rel: string): string =>
    to < 1 || to > last
      ? ""
      : `<a class="button" rel="${rel}" href="${escapeHtml(producerAddress(producer.username, { ...view, page: to }))}">${text}</a>`;
  return `<nav class="pager" aria-label="${locale.t("frame.pages")}">${link(page - 1, locale.t("frame.previous"), "prev")}<span class="dim">${locale.t("frame.page", { page, last })}</span>${link(page + 1, locale.t("frame.next"), "next")}</nav>`;
}

/** The producer's external addresses that a browser may open: the website, then the links. */
export const linksOf = ({ website, links }: Pick<PublicProducer, "website" | "links">): string[] => [
  ...new Set([...(isHttps(website) ? [website] : []), ...links]),
];

const isHttps = (url: string | null): url is string => url !== null && URL.parse(url)?.protocol === "https:";

const { genre, bpm_min, bpm_max, key, price_min, price_max } = filterParameters;

const ProducerQuery = Type.Object({
  genre,
  bpm_min,
  bpm_max,
  key,
  price_min,
  price_max,
  sort: Type.Optional(Type.Enum([...beatSorts])),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPage })),
});

/** The state of the list on a producer's page: the filters of `GET /beats`. */
type ProducerView = Static<typeof ProducerQuery>;

/** Parses the query string. Ignores empty fields, which forms send. Throws invalid_request. */
export function readProducerView(query: string): ProducerView {
  const names = Object.keys(ProducerQuery.properties);
  const parameters = [...new URLSearchParams(query)].filter(
    ([name, value]) => names.includes(name) && value.trim() !== "",
  );
  return readParameters(ProducerQuery, parameters) as ProducerView;
}

/** The address of a view. All equivalent views have the same address. */
export function producerAddress(username: string, view: ProducerView): string {
  const { page = 1, sort = "newest", ...filters } = view;
  const query = new URLSearchParams([
    ...Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]),
    ...(sort === "newest" ? [] : [["sort", sort] as [string, string]]),
    ...(page === 1 ? [] : [["page", String(page)] as [string, string]]),
  ]).toString();
  return `${producerPath(username)}${query === "" ? "" : `?${query}`}`;
}
