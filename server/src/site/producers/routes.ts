import { notFound } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { readParameters } from "@beatmarket/http/input/validate.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import Type, { type Static } from "typebox";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { readerLocale } from "../../access/reader-locale.ts";
import { beatSorts, filterParameters } from "../../resources/beats/filters/parameters.ts";
import { findPublicProducer, type PublicProducer, producerPath } from "../../resources/users/producers.ts";
import { linkLabel } from "../../resources/users/profile.ts";
import type { ReadAssets } from "../assets.ts";
import { refusalPage } from "../failure-page.ts";
import { factsOf, type ShownBeat, wall } from "../html/beats.ts";
import { siteDocument, sitePart } from "../html/document.ts";
import type { PublicPage, PublicReads } from "../public-reads.ts";
import { SitePages, type SiteParts } from "../read-pages.ts";
import { beatsPerPage, maxPage, pictureOf } from "../view.ts";

interface ProducerRouteParts extends SiteParts {
  reads: PublicReads;
  readAssets: ReadAssets;
}

const beatsInFeed = 50;

type Make = (producer: PublicProducer, locale: Locale) => Promise<PublicPage>;

/** The page of a producer and its feed, for anyone. */
export function producerRoutes({ reads, readAssets, ...parts }: ProducerRouteParts): Route[] {
  const pages = new SitePages(parts);
  const { publicUrl, currency } = parts;

  async function find(context: RequestContext): Promise<PublicProducer> {
    const producer = await findPublicProducer(parts.server.query, context.params.username ?? "");
    if (producer === undefined) throw notFound("No producer has this name; search for one of their beats.");
    return producer;
  }

  /** Responds with the page at the canonical address, and with a redirect for any other spelling of the username. */
  async function send(context: RequestContext, suffix: string, make: Make) {
    const locale = readerLocale(context);
    try {
      const { representation, headers } = await reads.page(
        `${locale.language} producer ${context.url}`,
        context,
        async () => {
          const producer = await find(context);
          if (producer.username !== context.params.username)
            throw new Moved(
              `${producerPath(producer.username)}${suffix}${context.query === "" ? "" : `?${context.query}`}`,
            );
          return make(producer, locale);
        },
      );
      Object.assign(context.headers, headers);
      return representation as Content;
    } catch (error) {
      if (error instanceof Moved) return { status: 308, headers: { location: error.address } };
      return refusalPage(readAssets, locale, error, locale.t("producer.missing"));
    }
  }

  return [
    openRoute(
      "/producers/:username",
      (context) =>
        send(context, "", async (producer, locale) => {
          const view = readProducerView(context.query);
          const { username, display_name: name, avatar_url: picture } = producer;
          const links = linksOf(producer);
          const page = await pages.producerBeats(producer.id, view, beatsPerPage);
          const [newest] = page.beats;
          const address = `${publicUrl}${producerPath(username)}`;
          const description = producer.bio?.slice(0, 200) || locale.t("producer.description", { producer: name });
          return siteDocument(await readAssets(), locale, {
            title: name,
            description,
            // Search engines should not index filtered views, which have unlimited combinations.
            canonical: producerAddress(username, view).includes("?") ? null : address,
            image: picture ?? (newest && pictureOf(newest, publicUrl)),
            feed: `${address}/feed.atom`,
            oembed: address,
            jsonLd: {
              "@context": "https://schema.org",
              "@type": "MusicGroup",
              "@id": address,
              url: address,
              name,
              description,
              ...(picture !== null && { image: picture }),
              ...(links.length > 0 && { sameAs: links }),
            },
            main: producerMain(locale, { producer, ...page, view, currency }),
          });
        }),
      { isVital: true },
    ),
    openRoute(
      "/producers/:username/feed.atom",
      (context) =>
        send(context, "/feed.atom", async (producer) => {
          const { beats } = await pages.producerBeats(producer.id, {}, beatsInFeed);
          return sitePart(atomFeed(producer, beats, publicUrl), "application/atom+xml; charset=utf-8");
        }),
      { isVital: true },
    ),
  ];
}

/** The redirect to the canonical spelling of a username. */
class Moved extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`Moved to ${address}`);
    this.address = address;
  }
}

/** Characters that XML 1.0 does not allow, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapeXml = (text: string): string => escapeHtml(text.toWellFormed().replace(unwritable, "\ufffd"));

/** The Atom feed of a producer's newest beats (RFC 4287), with absolute addresses. */
function atomFeed(producer: PublicProducer, beats: readonly ShownBeat[], publicUrl: string): string {
  const page = `${publicUrl}${producerPath(producer.username)}`;
  const times = beats.map(({ created_at }) => created_at).sort();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(page)}</id>
<title>${escapeXml(`Beats by ${producer.display_name}`)}</title>
<updated>${times.at(-1) ?? "1970-01-01T00:00:00Z"}</updated>
<author><name>${escapeXml(producer.display_name)}</name><uri>${escapeXml(page)}</uri></author>
<link rel="self" type="application/atom+xml" href="${escapeXml(page)}/feed.atom"/>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
${beats.map((beat) => entry(beat, publicUrl)).join("\n")}
</feed>
`;
}

function entry(beat: ShownBeat, publicUrl: string): string {
  const page = `${publicUrl}/beats/${beat.id}`;
  const preview = URL.parse(beat.audio_url, publicUrl);
  return `<entry>
<id>${escapeXml(page)}</id>
<title>${escapeXml(beat.title)}</title>
<updated>${beat.created_at}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
${beat.audio_url === "" || preview === null ? "" : `<link rel="enclosure" type="${audioTypeOf(preview.pathname)}" href="${escapeXml(preview.href)}"/>\n`}<summary>${escapeXml(factsOf(beat))}</summary>
</entry>`;
}

/** The media type of a preview, by the end of its address: generated previews are WAV, others are MP3. */
const audioTypeOf = (path: string): string => (path.endsWith(".wav") ? "audio/wav" : "audio/mpeg");

interface ProducerPage {
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

function producerMain(locale: Locale, page: ProducerPage): string {
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
const linksOf = ({ website, links }: Pick<PublicProducer, "website" | "links">): string[] => [
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

/** Parses the query string. Ignores unknown parameters, and empty fields, which forms send. Throws 400. */
function readProducerView(query: string): ProducerView {
  const names = Object.keys(ProducerQuery.properties);
  const parameters = [...new URLSearchParams(query)].filter(
    ([name, value]) => names.includes(name) && value.trim() !== "",
  );
  return readParameters(ProducerQuery, parameters) as ProducerView;
}

/** The address of a view. All equivalent views have the same address. */
function producerAddress(username: string, view: ProducerView): string {
  const { page = 1, sort = "newest", ...filters } = view;
  const query = new URLSearchParams([
    ...Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]),
    ...(sort === "newest" ? [] : [["sort", sort] as [string, string]]),
    ...(page === 1 ? [] : [["page", String(page)] as [string, string]]),
  ]).toString();
  return `${producerPath(username)}${query === "" ? "" : `?${query}`}`;
}
