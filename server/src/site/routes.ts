import { ApiError, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { isOwnPage, requireOwnForm } from "@beatmarket/http/admission/own-origin.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { prefersJson } from "@beatmarket/http/negotiation/prefers-json.ts";
import type { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { pageParameters } from "@beatmarket/http/pagination.ts";
import type { ApiRoute, ResourceRoute } from "@beatmarket/http/pipeline/api-route.ts";
import { prefersHtml } from "@beatmarket/http/pipeline/error-page.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import Type from "typebox";
import { isLanguage, languageCodes } from "../../../contract/texts/languages.ts";
import type { Locale } from "../../../contract/texts/locale.ts";
import type { Account } from "../access/account.ts";
import type { Caller } from "../access/caller.ts";
import { languageCookie, readerLocale } from "../access/reader-locale.ts";
import type { Queryable } from "../database/connect.ts";
import { changeMailPreferences } from "../resources/users/mail-preferences.ts";
import type { ReadAssets } from "./assets.ts";
import { refusalPage } from "./failure-page.ts";
import { type BeatPage, beatMain } from "./html/beat.ts";
import { callPart, homeMain, resultsPart } from "./html/catalogue.ts";
import { siteDocument, sitePart } from "./html/document.ts";
import type { PublicPage, PublicReads } from "./public-reads.ts";
import { SitePages, type SiteParts } from "./read-pages.ts";
import { addressOf, maxPage, pictureOf, readView, titleOf } from "./view.ts";

/** The pages of this server read the catalogue without a key, by the JavaScript client with this base address. */
const catalogueBase = "/site/v1";

const operations = ["listBeats", "getBeat", "listSimilarBeats", "search"];
const maxLimit = 24;

/** The caller for a reader without a session and without a key. It sees only public data. */
const stranger: Caller = { keyId: 0, userId: 0, plan: "standard", permissions: new Set() };

/**
 * The reads of the catalogue below `/site/v1`, which pages of this server use without a key. They are operations of the
 * API, with the same validation and responses, within the budgets of `PublicReads`. A list has at most 40 pages with at
 * most 24 results. Throws 403 for a request that no page of this server made, and the errors of `PublicReads`.
 */
const catalogueRoutes = (api: readonly ApiRoute[], reads: PublicReads): Route[] =>
  api
    .filter((route): route is ResourceRoute => operations.includes(route.operationId))
    .map((route) => ({
      operationId: null,
      method: "GET",
      path: `${catalogueBase}${route.path}`,
      access: { by: "anyone" },
      // `PublicReads` limits these reads with its own permits.
      isVital: true,
      hasForms: true,
      ...(route.headers !== undefined && { headers: route.headers }),
      ...(route.params !== undefined && { params: route.params }),
      query: boundedQuery(route),
      handle: async (call) => {
        const { context } = call;
        if (!isOwnPage(context.requestHeaders, context.publicUrl)) throw foreignOriginError();
        const { representation } = await reads.page(`${context.form} ${context.url}`, context, async () => {
          const value = await route.handle({ ...call, caller: stranger });
          return { representation: route.respond(value, context) as Representation, headers: {} };
        });
        return representation;
      },
      respond: (representation) => representation as Representation,
    }));

/** The parameters of an operation, limited to the sizes of a page. A list of ids is only for programs. */
function boundedQuery({ query = Type.Object({}) }: ResourceRoute) {
  const { ids: _, ...others } = query.properties;
  if (others.page === undefined) return Type.Object(others);
  const { page, limit } = pageParameters(maxLimit, maxLimit);
  return Type.Object({ ...others, page: { ...page, maximum: maxPage }, limit });
}

const foreignOriginError = (): ApiError =>
  new ApiError(
    403,
    "forbidden",
    "Foreign origin",
    "These reads are for the pages of this server. Programs call the same operations below /v1 with an API key.",
    { refusedBy: "origin" },
  );

interface SiteRouteParts extends SiteParts {
  reads: PublicReads;
  readAssets: ReadAssets;
  /** The operation table. */
  api: readonly ApiRoute[];
}

/**
 * The public pages, GET and HEAD, without a key: `/` with its search; `/beats/{id}`; and below `/site` the parts that a
 * search replaces, the beats of the search dialog, the responses of the calls on the pages, and the reads of the
 * catalogue. If Accept does not name HTML, `/` redirects to the portal. If Accept prefers JSON, a beat's page does not
 * exist: the API is under /v1.
 */
export function siteRoutes({ reads, readAssets, api, ...parts }: SiteRouteParts): Route[] {
  const pages = new SitePages(parts);
  const send = async (name: string, context: RequestContext, make: () => Promise<PublicPage>): Promise<Content> => {
    const { representation, headers } = await reads.page(name, context, make);
    Object.assign(context.headers, headers);
    return representation;
  };
  /** Responds in the reader's language. Shows refusals as pages. */
  const sendPage = async (
    name: string,
    context: RequestContext,
    make: (locale: Locale) => Promise<PublicPage>,
  ): Promise<Content> => {
    const locale = readerLocale(context);
    try {
      return await send(`${locale.language} ${name}`, context, () => make(locale));
    } catch (error) {
      return refusalPage(readAssets, locale, error, locale.t("beat.missing"));
    }
  };
  return [
    openRoute(
      "/",
      (context) => {
        if (!asksForHtml(context)) return { status: 302, headers: { location: "/portal" } };
        const view = readView(context.query);
        const address = addressOf(view);
        return sendPage(address, context, async (locale) => {
          const assets = await readAssets();
          return siteDocument(assets, locale, {
            title: titleOf(view),
            // Search engines should not index searches, which have unlimited variants.
            canonical: view.q === "" ? `${parts.publicUrl}${address}` : null,
            main: homeMain(locale, await pages.home(view), assets.brand.name),
          });
        });
      },
      { isVital: true },
    ),
    openRoute(
      "/beats/:beat_id",
      (context) => {
        const id = readId(context.params.beat_id);
        if (prefersJson(context.requestHeaders.accept ?? "")) throw nothingAt(context.path);
        return sendPage(`/beats/${id}`, context, async (locale) => {
          if (id === null) throw notFound("Beats have numbers; search for this one by its title.");
          const page = await pages.beat(id);
          const { title, producer_name: producer, genre, bpm } = page.beat;
          return siteDocument(await readAssets(), locale, {
            title: locale.t("beat.titleBy", { title, producer }),
            description: locale.t("beat.description", { title, genre: genre.name, bpm: String(bpm), producer }),
            canonical: `${parts.publicUrl}/beats/${id}`,
            image: pictureOf(page.beat, parts.publicUrl),
            oembed: `${parts.publicUrl}/beats/${id}`,
            jsonLd: recordingOf(page, parts.publicUrl),
            main: beatMain(locale, page),
          });
        });
      },
      { isVital: true },
    ),
    openRoute(
      "/site/results",
      (context) => {
        const view = readView(context.query);
        const locale = readerLocale(context);
        return send(`${locale.language} results ${addressOf(view)}`, context, async () => {
          const [results, call, { brand }] = await Promise.all([
            pages.results(view),
            pages.viewCall(view),
            readAssets(),
          ]);
          const parts = [resultsPart(locale, results, brand.name), callPart(locale, call)];
          return sitePart(parts.join("\n"), "text/html; charset=utf-8", locale);
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

/** A beat and its licenses in the vocabulary of https://schema.org. */
const recordingOf = ({ beat, licenses, currency }: BeatPage, publicUrl: string): object => ({
  "@context": "https://schema.org",
  "@type": "MusicRecording",
  "@id": `${publicUrl}/beats/${beat.id}`,
  url: `${publicUrl}/beats/${beat.id}`,
  name: beat.title,
  genre: beat.genre.name,
  image: pictureOf(beat, publicUrl),
  ...(beat.duration > 0 && { duration: `PT${beat.duration}S` }),
  byArtist: { "@type": "MusicGroup", name: beat.producer_name, url: `${publicUrl}${beat.producer_path}` },
  offers: licenses.map(({ type, price, available }) => ({
    "@type": "Offer",
    name: type,
    price: price.toFixed(2),
    priceCurrency: currency,
    availability: `https://schema.org/${available ? "InStock" : "SoldOut"}`,
    url: `${publicUrl}/beats/${beat.id}`,
  })),
});

/** The error of a path that does not exist. */
const nothingAt = (path: string): ApiError =>
  notFound(`There is nothing at ${quoted(path)}. The API is under /v1, its reference at /explorer.`);

const asksForHtml = ({ requestHeaders: { accept = "" } }: RequestContext): boolean => prefersHtml(accept);

const maxBodyBytes = 4_000;
const yearSeconds = 31_536_000;

interface LanguageRouteParts {
  db: Queryable;
  /** The signed-in account; null for strangers. */
  findAccount(headers: Headers): Promise<Account | null>;
}

/**
 * `POST /language`, the form in the footer of all pages: stores the chosen language in a cookie, and returns to the
 * page. Mails to the signed-in account use this language too.
 */
export const languageRoutes = (parts: LanguageRouteParts): Route[] => [
  openRoute("/language", (context) => choose(parts, context), {
    method: "POST",
    bodyLimits: { maxBytes: maxBodyBytes },
  }),
];

async function choose({ db, findAccount }: LanguageRouteParts, context: RequestContext): Promise<HttpResponse> {
  requireOwnForm(context.requestHeaders, context.publicUrl);
  const fields = new URLSearchParams(context.body?.toString("utf8"));
  const language = fields.get("language");
  if (!isLanguage(language)) throw invalidRequest(`The language is one of ${languageCodes.join(", ")}.`, "language");
  const account = await findAccount(context.webHeaders);
  if (account !== null) await changeMailPreferences(db, account.personId, { language });
  context.setCookies([`${languageCookie}=${language}; Path=/; Secure; SameSite=Lax; Max-Age=${yearSeconds}`]);
  return { status: 303, headers: { "cache-control": "no-store", location: pathBack(context, fields.get("back")) } };
}

/** The path in the form, or the page that sent the form; the front page for a form of another site. */
function pathBack({ requestHeaders, publicUrl }: RequestContext, requestedPath: string | null): string {
  const { referer = "", host } = requestHeaders;
  const url = URL.parse(requestedPath ?? referer, publicUrl);
  const isOurs = url !== null && (url.origin === new URL(publicUrl).origin || url.origin === `https://${host}`);
  return isOurs ? `${url.pathname}${url.search}` : "/";
}
