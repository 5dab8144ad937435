import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { hashSource } from "@beatmarket/http/hash-source.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { languageVary } from "../../access/reader-locale.ts";
import { coverOf, factsOf, type ShownBeat } from "../html/beats.ts";
import { freshSeconds, type PublicPage } from "../public-reads.ts";

/** The sizes of players in pixels, and the number of beats in each. */
export const embedSizes = {
  small: { width: 400, height: 140, beats: 1 },
  medium: { width: 480, height: 280, beats: 3 },
  large: { width: 640, height: 520, beats: 6 },
} as const;

export type EmbedSize = keyof typeof embedSizes;

export interface Embed {
  title: string;
  /** The path of the page to which the player links. */
  path: string;
  beats: readonly ShownBeat[];
  size: EmbedSize;
  currency: string;
  publicUrl: string;
  /** The sites that may show the player; empty for all. */
  origins: readonly string[];
}

const style = `:root{color-scheme:light dark}*{box-sizing:border-box}body{margin:0;padding:12px;font:14px/1.4 system-ui,sans-serif;background:Canvas;color:CanvasText}h1{margin:0 0 8px;font-size:16px}a{color:inherit}ul{margin:0;padding:0;list-style:none}li{display:flex;gap:12px;align-items:center;margin-block-end:12px}li div{min-inline-size:0;flex:1}p{margin:0}img{border-radius:6px}audio{inline-size:100%;block-size:36px;margin-block-start:4px}.line{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.small .facts{display:none}`;

/** Replaces a cover that is stored here with its small form (docs/api/beats.md, Previews and covers). */
const withSmallCover = (beat: ShownBeat): ShownBeat => ({
  ...beat,
  cover_image: beat.cover_image.replace(/^(\/media\/beats\/\d+\/cover)-([0-9a-f]{12})\.jpg$/, "$1-small-$2.webp"),
});

/**
 * A page for frames on other sites. It has no script: the browser's player plays, and links open pages of this server.
 */
export function embedPage(
  locale: Locale,
  { title, path, beats, size, currency, publicUrl, origins }: Embed,
): PublicPage {
  const to = linksTo(publicUrl);
  const html = frameDocument(locale, {
    title,
    head: `<link rel="canonical" href="${escapeHtml(publicUrl + path)}">\n`,
    size,
    main: `<h1 class="line"><a ${to(path)}><bdi>${escapeHtml(title)}</bdi></a></h1>
<ul>
${beats
  .map(
    (beat) => `<li>${size === "small" ? "" : coverOf(withSmallCover(beat), 72)}<div>
<p class="line"><a ${to(`/beats/${beat.id}`)}>${locale.t("embed.buy", { title: `<bdi>${escapeHtml(beat.title)}</bdi>`, price: locale.price(beat.price, currency) })}</a></p>
<p class="line facts">${escapeHtml(factsOf(beat))}</p>
<audio controls preload="none" src="${escapeHtml(beat.audio_url)}" aria-label="${locale.t("beat.preview", { title: escapeHtml(beat.title) })}"></audio>
</div></li>`,
  )
  .join("\n")}
</ul>`,
  });
  return {
    representation: new Representation(html, "text/html; charset=utf-8"),
    headers: { "cache-control": `public, max-age=${freshSeconds}`, ...frameHeaders(locale, origins) },
  };
}

/** A refusal in place of a player, which any site may show: a frame without a page would look like a broken site. */
export function embedRefusal(
  locale: Locale,
  status: number,
  { title, details, publicUrl }: { title: string; details: string; publicUrl: string },
): HttpResponse {
  return {
    status,
    headers: { "cache-control": "no-store", ...frameHeaders(locale, []), "content-type": "text/html; charset=utf-8" },
    body: frameDocument(locale, {
      title,
      head: "",
      size: "small",
      main: `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(details)}</p>
<p><a ${linksTo(publicUrl)("/")}>${locale.t("failure.search")}</a></p>`,
    }),
  };
}

/** Links open in a new tab, since a frame is too small for a page of this server. */
const linksTo =
  (publicUrl: string) =>
  (path: string): string =>
    `href="${escapeHtml(publicUrl + path)}" target="_blank" rel="noopener"`;

const frameDocument = (
  locale: Locale,
  { title, head, size, main }: { title: string; head: string; size: EmbedSize; main: string },
): string => `<!doctype html>
<html lang="${locale.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${head}<style>${style}</style>
</head>
<body class="${size}">
<main>
${main}
</main>
</body>
</html>
`;

/** An empty list of sites allows all. */
const frameHeaders = (locale: Locale, origins: readonly string[]) => ({
  vary: `Accept, Accept-Encoding, ${languageVary}`,
  "content-language": locale.language,
  "content-security-policy": [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    "img-src 'self' https:",
    "media-src 'self' https:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length === 0 ? "*" : origins.join(" ")}`,
  ].join("; "),
  "referrer-policy": "strict-origin-when-cross-origin",
});
