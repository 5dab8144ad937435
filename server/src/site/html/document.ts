import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { hashSource } from "@beatmarket/http/hash-source.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { languageVary } from "../../access/reader-locale.ts";
import type { SiteAssets } from "../assets.ts";
import { logoPath, type SiteBrand } from "../brand.ts";
import { freshSeconds, type PublicPage } from "../public-reads.ts";
import { mark, skipBack, skipForward } from "./icons.ts";
import { languageForm, legalLinks } from "./language-form.ts";
import { scriptTexts } from "./script-texts.ts";

/**
 * Runs inline before the first paint: the color scheme that someone chose in the portal, where it is kept by this name.
 */
export const colorSchemeScript = `try{const s=localStorage.getItem("mantine-color-scheme-value");if(s==="light"||s==="dark")document.documentElement.dataset.mantineColorScheme=s}catch{}`;

export interface SiteDocument {
  /** The title of the page, before the name of the marketplace; null for the marketplace's own page. */
  title: string | null;
  /** The marketplace's own if absent. */
  description?: string;
  /** Absolute; null for a page that search engines leave out. */
  canonical: string | null;
  /** The absolute address of its picture, for links that other sites show. */
  image?: string | undefined;
  /** The absolute address of its Atom feed. */
  feed?: string;
  /** The absolute address that /oembed describes: its own. */
  oembed?: string;
  /** Its description for search engines: https://schema.org. */
  jsonLd?: object;
  /** HTML. */
  main: string;
}

/** What the browser shows as the title of a page of the site `name`. */
export const fullTitle = (locale: Locale, title: string | null, name: string): string =>
  title === null ? locale.t("site.title", { site: name }) : `${title} · ${name}`;

/** A public page: its HTML, and the policy that lets nothing else run. */
export function siteDocument(
  assets: SiteAssets,
  locale: Locale,
  { title, description = locale.t("site.description"), canonical, image, feed, oembed, jsonLd, main }: SiteDocument,
): PublicPage {
  const shownTitle = escapeHtml(fullTitle(locale, title, assets.brand.name));
  const html = `<!doctype html>
<html lang="${locale.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${shownTitle}</title>
<meta name="description" content="${escapeHtml(description)}">
${canonical === null ? `<meta name="robots" content="noindex">` : `<link rel="canonical" href="${escapeHtml(canonical)}">`}
<meta property="og:title" content="${shownTitle}">
<meta property="og:description" content="${escapeHtml(description)}">
<meta property="og:type" content="website">${image === undefined ? "" : `\n<meta property="og:image" content="${escapeHtml(image)}">`}
<meta name="twitter:card" content="${image === undefined ? "summary" : "summary_large_image"}">${feed === undefined ? "" : `\n<link rel="alternate" type="application/atom+xml" href="${escapeHtml(feed)}">`}${oembed === undefined ? "" : `\n${oembedLinks(oembed)}`}${jsonLd === undefined ? "" : `\n<script type="application/ld+json">${JSON.stringify(jsonLd).replaceAll("<", "\\u003c")}</script>`}
<link rel="icon" href="${logoPath}">
<link rel="manifest" href="/site.webmanifest">
<script>${colorSchemeScript}</script>
${scriptTexts(locale)}
<style>${assets.style}</style>
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#main">${locale.t("frame.skip")}</a>
<header class="top"><div class="page">
<a class="brand" href="/">${brandMark(assets.brand)}<span class="name">${escapeHtml(assets.brand.name)}</span></a><span class="badge">${locale.t("frame.preRelease")}</span>
<nav aria-label="${locale.t("frame.site")}">
<a class="link" href="/portal/market">${locale.t("frame.browse")}</a>
<a class="link sell" href="/portal/studio">${locale.t("frame.sell")}</a>
<a class="link wide" href="/portal/docs">${locale.t("frame.docs")}</a>
<a class="link wide" href="/explorer">${locale.t("frame.reference")}</a>
<a class="link wide" href="/favorites" data-signed-in hidden>${locale.t("frame.favorites")}</a>
<a class="link" href="/basket" data-basket>${locale.t("frame.basket")}</a>
<a class="link" href="/portal/sign-in" data-signed-out>${locale.t("frame.signIn")}</a>
<a class="button primary wide" href="/portal/register" data-signed-out>${locale.t("frame.getKey")}</a>
<a class="button primary" href="/portal" data-signed-in hidden>${locale.t("frame.openPortal", { wide: '<span class="wide">', end: "&nbsp;</span>" })}</a>
</nav>
</div></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="foot"><nav class="page" aria-label="${locale.t("frame.more")}">
<a href="/portal/docs">${locale.t("frame.docs")}</a>
<a href="/explorer">${locale.t("frame.apiReference")}</a>
<a href="/openapi.json">${locale.t("frame.document")}</a>
<a href="/changelog">${locale.t("frame.changelog")}</a>
<a href="/portal/explorer">${locale.t("frame.explorer")}</a>
<a href="/portal/market">${locale.t("frame.catalogue")}</a>
<a href="/portal">${locale.t("frame.portal")}</a>
<a href="/.well-known/jwks.json">${locale.t("frame.keys")}</a>
${legalLinks(locale)}
${languageForm(locale)}
</nav></footer>
${player(locale)}
</body>
</html>
`;
  return {
    representation: new Representation(html, "text/html; charset=utf-8"),
    headers: {
      ...sharedHeaders(locale),
      "content-security-policy": [
        "default-src 'none'",
        `style-src ${hashSource(assets.style)}`,
        `script-src 'self' ${hashSource(colorSchemeScript)}`,
        "connect-src 'self'",
        // Covers and previews of an imported catalogue are where their producers keep them.
        "img-src 'self' data: https:",
        "media-src 'self' https:",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join("; "),
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()",
    },
  };
}

/** The logo of the operator, or ours. The name next to it says the same. */
export const brandMark = ({ logo }: SiteBrand): string =>
  logo === null ? mark : `<img src="${logoPath}" alt="" height="28">`;

const oembedLinks = (url: string): string =>
  ["json", "xml"]
    .map((format) => {
      const address = `${new URL(url).origin}/oembed?${new URLSearchParams({ url, format })}`;
      return `<link rel="alternate" type="${format === "json" ? "application" : "text"}/${format}+oembed" href="${escapeHtml(address)}">`;
    })
    .join("\n");

/** Of a page's parts that a search replaces, and of the response of a call, which has no language. */
export const sitePart = (body: string, contentType: string, locale: Locale | null = null): PublicPage => ({
  representation: new Representation(body, contentType),
  headers: { ...sharedHeaders(locale), "x-robots-tag": "noindex" },
});

const sharedHeaders = (locale: Locale | null) => ({
  "cache-control": `public, max-age=${freshSeconds}`,
  ...(locale === null
    ? { vary: "Accept, Accept-Encoding" }
    : { vary: `Accept, Accept-Encoding, ${languageVary}`, "content-language": locale.language }),
});

/** This part stays from page to page. */
const player = (
  locale: Locale,
) => `<section id="player" aria-label="${locale.t("player.title")}" hidden><div class="page">
<div class="steps"><button class="quiet" type="button" data-previous-beat aria-label="${locale.t("player.back")}">${skipBack}</button>
<button class="play" type="button" hidden></button>
<button class="quiet" type="button" data-next-beat aria-label="${locale.t("player.next")}">${skipForward}</button></div>
<div class="cover"><img alt="" width="56" height="56"></div>
<div class="name"><a href="/"></a><span class="dim" data-producer></span><span class="dim" role="status"></span></div>
<div class="wave"><canvas></canvas><input type="range" min="0" max="1000" value="0" aria-label="${locale.t("player.position")}"></div>
<span class="time mono"></span>
<input class="volume" type="range" min="0" max="1" step="0.05" value="1" data-volume aria-label="${locale.t("player.volume")}">
<button class="quiet" type="button" data-close-player aria-label="${locale.t("player.close")}">×</button>
</div></section>`;
