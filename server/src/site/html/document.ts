import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { hashSource } from "@beatmarket/http/hash-source.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { scripts } from "../../../../contract/texts/en/scripts.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { languageVary } from "../../access/reader-locale.ts";
import type { SiteAssets } from "../assets.ts";
import { languageForm, legalLinks, logoPath, type SiteBrand } from "../brand.ts";
import { freshSeconds, type PublicPage } from "../public-reads.ts";

/**
 * An inline script that applies the color scheme of the portal before the first paint. The portal stores the scheme
 * under this name.
 */
export const colorSchemeScript = `try{const s=localStorage.getItem("mantine-color-scheme-value");if(s==="light"||s==="dark")document.documentElement.dataset.mantineColorScheme=s}catch{}`;

export interface SiteDocument {
  /** The title of the page, before the name of the marketplace; null for the marketplace's own page. */
  title: string | null;
  /** The description of the page; absent for the description of the marketplace. */
  description?: string;
  /** The absolute canonical address; null for a page that search engines must not index. */
  canonical: string | null;
  /** The absolute address of a picture, which other sites show next to a link to the page. */
  image?: string | undefined;
  /** The absolute address of the page's Atom feed. */
  feed?: string;
  /** The absolute address of the page, if /oembed describes the page. */
  oembed?: string;
  /** The description for search engines, in the vocabulary of https://schema.org. */
  jsonLd?: object;
  /** The content, as HTML. */
  main: string;
}

/** The title of a page of the site `name` in the browser. */
export const fullTitle = (locale: Locale, title: string | null, name: string): string =>
  title === null ? locale.t("site.title", { site: name }) : `${title} · ${name}`;

/** A public page: its HTML, and a content security policy that allows nothing else. */
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
<meta property="og:type" content="website">
<meta property="og:site_name" content="${escapeHtml(assets.brand.name)}">${canonical === null ? "" : `\n<meta property="og:url" content="${escapeHtml(canonical)}">`}${image === undefined ? "" : `\n<meta property="og:image" content="${escapeHtml(image)}">`}
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
<a class="button primary" href="/portal" data-signed-in hidden><span>${locale.t("frame.openPortal", { wide: '<span class="wide">', end: "&nbsp;</span>" })}</span></a>
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
        // Covers and previews of an imported catalogue are on the servers of their producers.
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

/** The logo of the operator, or the built-in one. It has no text for screen readers, since the name is next to it. */
export const brandMark = ({ logo }: SiteBrand): string =>
  logo === null ? mark : `<img src="${logoPath}" alt="" height="28">`;

const oembedLinks = (url: string): string =>
  ["json", "xml"]
    .map((format) => {
      const address = `${new URL(url).origin}/oembed?${new URLSearchParams({ url, format })}`;
      return `<link rel="alternate" type="${format === "json" ? "application" : "text"}/${format}+oembed" href="${escapeHtml(address)}">`;
    })
    .join("\n");

/**
 * A part of a page that a search replaces, or the response of a call. A null `locale` means that it has no language.
 */
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

/** This element persists while the reader goes from page to page. */
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

const keys = Object.keys(scripts) as (keyof typeof scripts)[];

/** The texts of the scripts in the language of the page. portal/src/site/texts.ts reads these texts. */
export const scriptTexts = (locale: Locale): string =>
  `<script type="application/json" id="texts">${JSON.stringify(locale.written(keys)).replaceAll("<", "\\u003c")}</script>`;

// Drawings of the public pages. They are hidden from screen readers, because the text next to them says the same.

/** The mark: the waveform of portal/public/icon.svg. */
const mark = `<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#5b3fd6"/><g fill="#fff"><rect x="6" y="13" width="3" height="6" rx="1.5"/><rect x="11" y="9" width="3" height="14" rx="1.5"/><rect x="16" y="6" width="3" height="20" rx="1.5"/><rect x="21" y="11" width="3" height="10" rx="1.5"/></g></svg>`;

export const lens = `<svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><circle cx="9" cy="9" r="6"/><path d="m13.6 13.6 4 4"/></svg>`;

const skip = (path: string): string =>
  `<svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="${path}"/></svg>`;

const skipBack = skip(
  "M3 2.5a.7.7 0 0 1 1.4 0v4.7L12.6 2.4a.7.7 0 0 1 1.1.6v10a.7.7 0 0 1-1.1.6L4.4 8.8v4.7a.7.7 0 0 1-1.4 0Z",
);
const skipForward = skip(
  "M13 2.5a.7.7 0 0 0-1.4 0v4.7L3.4 2.4a.7.7 0 0 0-1.1.6v10a.7.7 0 0 0 1.1.6l8.2-4.8v4.7a.7.7 0 0 0 1.4 0Z",
);

/** A waveform as vertical bars around a middle line. The box of `count` bars is `10 * count` wide and 300 high. */
export function waveform(count: number): string {
  const bars = Array.from({ length: count }, (_, index) => {
    const swell = Math.sin((Math.PI * (index + 0.5)) / count) ** 0.7;
    const beat = 0.34 + 0.66 * Math.abs(Math.sin(index * 0.78)) ** 1.5;
    const ripple = 0.72 + 0.28 * Math.sin(index * 2.3 + 1);
    const half = Math.round(5 + 135 * swell * beat * ripple);
    return `M${index * 10 + 3} ${150 - half}v${2 * half}`;
  });
  // All bars are one path, because each element delays the first paint. The path fades in from its beginning.
  return `<svg class="motif" viewBox="0 0 ${count * 10} 300" preserveAspectRatio="xMaxYMid meet" aria-hidden="true"><linearGradient id="fade" gradientUnits="userSpaceOnUse" x2="${count * 10}"><stop stop-color="currentColor" stop-opacity=".04"/><stop offset="1" stop-color="currentColor"/></linearGradient><path d="${bars.join("")}" fill="none" stroke="url(#fade)" stroke-width="5" stroke-linecap="round"/></svg>`;
}

const silentBars = [4, 8, 5, 14, 7, 20, 11, 16, 6, 12, 24, 9, 15, 7, 18, 10, 6, 13, 5, 9, 4];

/** The drawing of silence, for a search without results and for an error. */
export const silence = `<svg width="126" height="32" aria-hidden="true">${silentBars
  .map((height, index) => `<rect x="${index * 6}" y="${(32 - height) / 2}" width="3" height="${height}" rx="1.5"/>`)
  .join("")}</svg>`;
