import { ApiError, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { prefersHtml } from "@beatmarket/http/pipeline/error-page.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import { problemText, problemTitle, readerLocale } from "../../access/reader-locale.ts";
import { findPublicProducer, producerPath } from "../../resources/users/producers.ts";
import { findEmbedOrigins } from "../../resources/users/profile.ts";
import { sitePart } from "../html/document.ts";

import type { PublicReads } from "../public-reads.ts";
import { SitePages, type SiteParts } from "../read-pages.ts";
import { type Embed, type EmbedSize, embedPage, embedRefusal, embedSizes } from "./html.ts";

interface EmbedRouteParts extends SiteParts {
  reads: PublicReads;
  /** The name of the site. */
  site: string;
}

type EmbedTarget = Pick<Embed, "title" | "path" | "beats" | "origins"> & { author: string; authorPath: string };

/** Players for frames on other sites, and their description in the format of https://oembed.com. */
export function embedRoutes({ reads, site, ...parts }: EmbedRouteParts): Route[] {
  const pages = new SitePages(parts);
  const { publicUrl, currency } = parts;

  async function beat(locale: Locale, text: string): Promise<EmbedTarget> {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound("Beats have numbers; copy the address of a beat's page.");
    const embed = await pages.shownBeat(Number(text));
    const { title, producer_name: author, producer_path: authorPath } = embed;
    return {
      title: locale.t("beat.titleBy", { title, producer: author }),
      path: `/beats/${embed.id}`,
      beats: [embed],
      author,
      authorPath,
      origins: await findEmbedOrigins(parts.server.query, embed.user_id),
    };
  }

  async function producer(locale: Locale, username: string): Promise<EmbedTarget> {
    const publicProducer = await findPublicProducer(parts.server.query, username);
    if (publicProducer === undefined)
      throw notFound("No producer has this name; copy the address of a producer's page.");
    const { beats } = await pages.producerBeats(publicProducer.id, {}, embedSizes.large.beats);
    const path = producerPath(publicProducer.username);
    return {
      title: locale.t("embed.beats", { producer: publicProducer.display_name }),
      path,
      beats,
      author: publicProducer.display_name,
      authorPath: path,
      origins: await findEmbedOrigins(parts.server.query, publicProducer.id),
    };
  }

  /** Responds with a player, and with a page for frames if a browser gets a refusal. */
  async function sendEmbed(
    context: RequestContext,
    missing: "beat.missing" | "producer.missing",
    find: (locale: Locale) => Promise<EmbedTarget>,
  ) {
    const locale = readerLocale(context);
    try {
      return await readEmbed(context, locale, find);
    } catch (error) {
      const isPage = prefersHtml(context.requestHeaders.accept ?? "");
      if (!(error instanceof ApiError) || error.status === 503 || !isPage) throw error;
      const title = error.status === 404 ? locale.t(missing) : problemTitle(locale, error);
      const refusal = embedRefusal(locale, error.status, { title, details: problemText(locale, error), publicUrl });
      return { ...refusal, headers: { ...error.headers, ...refusal.headers } };
    }
  }

  async function readEmbed(context: RequestContext, locale: Locale, find: (locale: Locale) => Promise<EmbedTarget>) {
    const size = new URLSearchParams(context.query).get("size") ?? "medium";
    if (!isSize(size)) throw invalidRequest("The size parameter is small, medium or large.", "size");
    const name = `${locale.language} embed ${context.path} ${size}`;
    const { representation, headers } = await reads.page(name, context, async () => {
      const embed = await find(locale);
      const beats = embed.beats.slice(0, embedSizes[size].beats);
      return embedPage(locale, { ...embed, beats, size, currency, publicUrl });
    });
    Object.assign(context.headers, headers);
    return representation;
  }

  /** The English description of the page at an address of this server. Throws 404 for any other address. */
  async function findByUrl(text: string): Promise<EmbedTarget> {
    const url = URL.parse(text);
    const [, kind, name = "", ...rest] = url?.pathname.split("/") ?? [];
    if (url?.origin === new URL(publicUrl).origin && rest.length === 0) {
      if (kind === "beats") return beat(locales.en, name);
      if (kind === "producers") return producer(locales.en, decodeText(name));
    }
    throw notFound("The url parameter is the address of a page of a beat or a producer on this site.");
  }

  async function sendOembed(context: RequestContext) {
    const parameters = new URLSearchParams(context.query);
    const format = parameters.get("format") ?? "json";
    if (format !== "json" && format !== "xml")
      return {
        status: 501,
        headers: { "content-type": "text/plain; charset=utf-8" },
        body: "The format parameter is json or xml.\n",
      };
    const [maxWidth, maxHeight] = ["maxwidth", "maxheight"].map((name) => readPixels(parameters, name)) as [
      number,
      number,
    ];
    const text = parameters.get("url") ?? "";
    const { representation } = await reads.page(
      `oembed ${format} ${maxWidth} ${maxHeight} ${text}`,
      context,
      async () => {
        const embed = await findByUrl(text);
        const response = oembedOf(embed, { site, publicUrl }, maxWidth, maxHeight);
        return format === "json"
          ? sitePart(JSON.stringify(response), "application/json")
          : sitePart(xmlOf(response), "text/xml; charset=utf-8");
      },
    );
    return representation;
  }

  return [
    openRoute("/embed/beats/:beat_id", (context) =>
      sendEmbed(context, "beat.missing", (locale) => beat(locale, context.params.beat_id ?? "")),
    ),
    openRoute("/embed/producers/:username", (context) =>
      sendEmbed(context, "producer.missing", (locale) => producer(locale, context.params.username ?? "")),
    ),
    openRoute("/oembed", sendOembed),
  ];
}

/** The largest size that fits; if none does, the smallest one, cropped to the bounds. */
function oembedOf(
  target: EmbedTarget,
  { site, publicUrl }: { site: string; publicUrl: string },
  maxWidth: number,
  maxHeight: number,
) {
  const fitting = (["large", "medium", "small"] as const).find(
    (each) => embedSizes[each].width <= maxWidth && embedSizes[each].height <= maxHeight,
  );
  const size = fitting ?? "small";
  const width = Math.min(maxWidth, embedSizes[size].width);
  const height = Math.min(maxHeight, embedSizes[size].height);
  const source = `${publicUrl}/embed${target.path}?size=${size}`;
  return {
    type: "rich",
    version: "1.0",
    title: target.title,
    author_name: target.author,
    author_url: `${publicUrl}${target.authorPath}`,
    provider_name: site,
    provider_url: publicUrl,
    cache_age: 3600,
    width,
    height,
    html: `<iframe src="${escapeHtml(source)}" width="${width}" height="${height}" title="${escapeHtml(target.title)}" loading="lazy" style="border:0"></iframe>`,
  };
}

const xmlOf = (response: object): string =>
  `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${Object.entries(response)
    .map(([name, value]) => `<${name}>${escapeHtml(String(value))}</${name}>`)
    .join("")}</oembed>\n`;

const isSize = (text: string): text is EmbedSize => Object.hasOwn(embedSizes, text);

function readPixels(parameters: URLSearchParams, name: string): number {
  const text = parameters.get(name) ?? "";
  if (text === "") return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw invalidRequest(`The ${name} parameter is a number of pixels.`, name);
  return Number(text);
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound("The url parameter is not a valid address.");
  }
}
