import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { hashSource } from "@beatmarket/http/hash-source.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { legalPages } from "../../site-settings.ts";
import type { SiteAssets } from "../assets.ts";
import { logoPath, type SiteBrand } from "../brand.ts";
import { freshSeconds, type PublicPage } from "../public-reads.ts";
import { mark, skipBack, skipForward } from "./icons.ts";

/** Runs inline before the first paint: the color scheme that somebody chose in the portal, where it is kept by this name. */
export const colorSchemeScript = `try{const s=localStorage.getItem("mantine-color-scheme-value");if(s==="light"||s==="dark")document.documentElement.dataset.mantineColorScheme=s}catch{}`;

export interface SiteDocument {
  /** Of the page, before the name of the marketplace; null for its own. */
  title: string | null;
  /** The marketplace's own if absent. */
  description?: string;
  /** Absolute; null for a page that search engines leave out. */
  canonical: string | null;
  /** The absolute address of a picture of it, for links that other sites show. */
  image?: string | undefined;
  /** The absolute address of an Atom feed of it. */
  feed?: string;
  /** The absolute address that /oembed describes: its own. */
  oembed?: string;
  /** What it is about, for search engines: https://schema.org. */
  jsonLd?: object;
  /** HTML. */
  main: string;
}

const ownDescription =
  "A marketplace for music beats with a JSON API: search that understands tempo and key, similar beats that say why, licenses, webhooks.";

/** What the browser shows as the title of a page of the site `name`. */
export const fullTitle = (title: string | null, name: string): string =>
  title === null ? `${name}: beats by API` : `${title} · ${name}`;

/** A public page: its HTML, and the policy that lets nothing else run. */
export function siteDocument(
  assets: SiteAssets,
  { title, description = ownDescription, canonical, image, feed, oembed, jsonLd, main }: SiteDocument,
): PublicPage {
  const shownTitle = escapeHtml(fullTitle(title, assets.brand.name));
  const html = `<!doctype html>
<html lang="en">
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
<style>${assets.style}</style>
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><div class="page">
<a class="brand" href="/">${brandMark(assets.brand)}${escapeHtml(assets.brand.name)}</a><span class="badge">Pre-release demo</span>
<nav aria-label="Site">
<a class="link wide" href="/portal/market">Browse</a>
<a class="link wide" href="/portal/studio">Sell</a>
<a class="link wide" href="/portal/docs">Docs</a>
<a class="link wide" href="/explorer">Reference</a>
<a class="link wide" href="/favorites" data-signed-in hidden>Favorites</a>
<a class="link" href="/basket" data-basket>Basket</a>
<a class="link" href="/portal/sign-in" data-signed-out>Sign in</a>
<a class="button primary wide" href="/portal/register" data-signed-out>Get a key</a>
<a class="button primary" href="/portal" data-signed-in hidden>Open<span class="wide">&nbsp;the</span> portal</a>
</nav>
</div></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="foot"><nav class="page" aria-label="More">
<a href="/portal/docs">Docs</a>
<a href="/explorer">API reference</a>
<a href="/openapi.json">OpenAPI document</a>
<a href="/changelog">Changelog</a>
<a href="/portal/explorer">Explorer</a>
<a href="/portal/market">Catalogue</a>
<a href="/portal">Developer portal</a>
<a href="/.well-known/jwks.json">Keys of certificates</a>
${legalLinks}
</nav></footer>
${player}
</body>
</html>
`;
  return {
    representation: new Representation(html, "text/html; charset=utf-8"),
    headers: {
      ...sharedHeaders,
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

/** The logo of the operator, or ours. The name beside it says the same. */
export const brandMark = ({ logo }: SiteBrand): string =>
  logo === null ? mark : `<img src="${logoPath}" alt="" height="28">`;

/** The pages of the operator. */
export const legalLinks: string = legalPages.map(({ path, name }) => `<a href="${path}">${name}</a>`).join("\n");

const oembedLinks = (url: string): string =>
  ["json", "xml"]
    .map((format) => {
      const address = `${new URL(url).origin}/oembed?${new URLSearchParams({ url, format })}`;
      return `<link rel="alternate" type="${format === "json" ? "application" : "text"}/${format}+oembed" href="${escapeHtml(address)}">`;
    })
    .join("\n");

/** Of a page's parts that a search replaces, and of the response of a call. */
export const sitePart = (body: string, contentType: string): PublicPage => ({
  representation: new Representation(body, contentType),
  headers: { ...sharedHeaders, "x-robots-tag": "noindex" },
});

const sharedHeaders = {
  "cache-control": `public, max-age=${freshSeconds}`,
  vary: "Accept, Accept-Encoding",
};

/** It stays from page to page. */
const player = `<section id="player" aria-label="Player" hidden><div class="page">
<div class="steps"><button class="quiet" type="button" data-previous-beat aria-label="Back">${skipBack}</button>
<button class="play" type="button" hidden></button>
<button class="quiet" type="button" data-next-beat aria-label="Next beat">${skipForward}</button></div>
<div class="cover"><img alt="" width="56" height="56"></div>
<div class="name"><a href="/"></a><span class="dim" data-producer></span><span class="dim" role="status"></span></div>
<div class="wave"><canvas></canvas><input type="range" min="0" max="1000" value="0" aria-label="Position in the preview"></div>
<span class="time mono"></span>
<input class="volume" type="range" min="0" max="1" step="0.05" value="1" data-volume aria-label="Volume">
<button class="quiet" type="button" data-close-player aria-label="Close the player">×</button>
</div></section>`;
