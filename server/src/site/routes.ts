import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import type { ApiRoute } from "@beatmarket/http/pipeline/api-route.ts";
import { prefersHtml } from "@beatmarket/http/pipeline/error-page.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { readAssets } from "./assets.ts";
import { catalogueRoutes } from "./catalogue-routes.ts";
import { failurePage } from "./failure-page.ts";
import { beatMain } from "./html/beat.ts";
import { siteDocument, sitePart } from "./html/document.ts";
import { homeMain } from "./html/home.ts";
import { callPart, resultsPart } from "./html/results.ts";
import type { PublicPage, PublicReads } from "./public-reads.ts";
import { SitePages, type SiteParts } from "./read-pages.ts";
import { addressOf, readView, titleOf } from "./view.ts";

export interface SiteRouteParts extends SiteParts {
  reads: PublicReads;
  /** The folder of the built portal. */
  folder: string;
  /** The operation table. */
  api: readonly ApiRoute[];
}

/**
 * The pages that strangers meet, GET and HEAD, without a key: `/` with its search, `/beats/{id}`, and below `/site` the
 * parts that a search replaces, the beats that the search dialog shows, the responses of the calls that pages show, and the reads of
 * the catalogue. Where Accept does not ask for HTML, `/`
 * redirects to the portal, and a beat's page is not there: the API is under /v1.
 */
export function siteRoutes({ reads, folder, api, ...parts }: SiteRouteParts): Route[] {
  const pages = new SitePages(parts);
  const send = async (name: string, context: RequestContext, make: () => Promise<PublicPage>): Promise<Content> => {
    const { representation, headers } = await reads.page(name, context, make);
    Object.assign(context.headers, headers);
    return representation;
  };
  /** Refusals are pages as well. */
  const sendPage = async (name: string, context: RequestContext, make: () => Promise<PublicPage>): Promise<Content> => {
    try {
      return await send(name, context, make);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 503) throw error;
      const title = error.status === 404 ? "No such beat" : error.message;
      const page = failurePage(await readAssets(folder), error.status, { title, details: error.details });
      return { ...page, headers: { ...error.headers, ...page.headers } };
    }
  };
  return [
    openRoute(
      "/",
      (context) => {
        if (!asksForHtml(context)) return { status: 302, headers: { location: "/portal" } };
        const view = readView(context.query);
        const address = addressOf(view);
        return sendPage(address, context, async () =>
          siteDocument(await readAssets(folder), {
            title: titleOf(view),
            // Of searches there is no end.
            canonical: view.q === "" ? `${parts.publicUrl}${address}` : null,
            main: homeMain(await pages.home(view)),
          }),
        );
      },
      { isVital: true },
    ),
    openRoute(
      "/beats/:beat_id",
      (context) => {
        const id = readId(context.params.beat_id);
        if (!asksForHtml(context)) throw nothingAt(context.path);
        return sendPage(`/beats/${id}`, context, async () => {
          if (id === null) throw notFound("Beats have numbers; search for this one by its title.");
          const page = await pages.beat(id);
          const { title, producer_name, genre, bpm } = page.beat;
          return siteDocument(await readAssets(folder), {
            title: `${title} by ${producer_name}`,
            description: `${title}, a ${genre.name} beat of ${bpm} BPM by ${producer_name}: listen, see its licenses and what is similar.`,
            canonical: `${parts.publicUrl}/beats/${id}`,
            image: pictureOf(page.beat.cover_image, parts.publicUrl),
            main: beatMain(page),
          });
        });
      },
      { isVital: true },
    ),
    openRoute(
      "/site/results",
      (context) => {
        const view = readView(context.query);
        return send(`results ${addressOf(view)}`, context, async () => {
          const [results, call] = await Promise.all([pages.results(view), pages.viewCall(view)]);
          return sitePart(`${resultsPart(results)}\n${callPart(call)}`, "text/html; charset=utf-8");
        });
      },
      { isVital: true, headers: { "content-security-policy": "default-src 'none'" } },
    ),
    openRoute(
      "/site/beats",
      (context) => {
        const view = { ...readView(context.query), page: 1 };
        return send(`beats ${addressOf(view)}`, context, async () =>
          sitePart(JSON.stringify(await pages.suggestions(view)), "application/json"),
        );
      },
      { isVital: true },
    ),
    openRoute(
      "/site/call",
      (context) => {
        const view = { ...readView(context.query), page: 1 };
        return send(`call ${addressOf(view)}`, context, async () =>
          sitePart(JSON.stringify(await pages.callResponse(view)), "application/json"),
        );
      },
      { isVital: true },
    ),
    openRoute(
      "/site/similar/:beat_id",
      (context) => {
        const id = readId(context.params.beat_id);
        if (id === null) throw nothingAt(context.path);
        return send(`similar ${id}`, context, async () =>
          sitePart(JSON.stringify(await pages.similarResponse(id)), "application/json"),
        );
      },
      { isVital: true },
    ),
    ...catalogueRoutes(api, reads),
  ];
}

const readId = (text = ""): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);

/** A cover for other sites, which show no SVG. */
function pictureOf(cover: string, publicUrl: string): string | undefined {
  const address = URL.parse(cover, publicUrl);
  return address !== null && /\.(jpe?g|png|webp)$/i.test(address.pathname) ? address.href : undefined;
}

/** As for a path that nothing is at. */
const nothingAt = (path: string): ApiError =>
  notFound(`There is nothing at ${quoted(path)}. The API is under /v1, its reference at /explorer.`);

const asksForHtml = ({ requestHeaders: { accept = "" } }: RequestContext): boolean => prefersHtml(accept);
