import { notFound } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { readerLocale } from "../../access/reader-locale.ts";
import { findPublicProducer, type PublicProducer, producerPath } from "../../resources/users/producers.ts";
import type { ReadAssets } from "../assets.ts";
import { refusalPage } from "../failure-page.ts";
import { factsOf, type ShownBeat } from "../html/beats.ts";
import { siteDocument, sitePart } from "../html/document.ts";
import type { PublicPage, PublicReads } from "../public-reads.ts";
import { SitePages, type SiteParts } from "../read-pages.ts";
import { beatsPerPage, pictureOf } from "../view.ts";
import { linksOf, producerAddress, producerMain, readProducerView } from "./html.ts";

export interface ProducerRouteParts extends SiteParts {
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
