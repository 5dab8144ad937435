import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { PageFrame } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { matchesEntityTag } from "@beatmarket/http/negotiation/entity-tag.ts";
import { etagOf, Representation } from "@beatmarket/http/negotiation/representation.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { languageCodes, languages } from "../../../contract/texts/languages.ts";
import type { Locale } from "../../../contract/texts/locale.ts";
import { readerLocale } from "../access/reader-locale.ts";
import { notBuilt } from "../portal/web-app.ts";
import { legalPages, type SiteSettings } from "../site-settings.ts";

/** The name and the look of the site from the operator's settings. */
export interface SiteBrand {
  name: string;
  /** CSS that follows the style sheets, with the operator's color; empty without one. */
  style: string;
  /** The operator's logo; null for the built-in logo. */
  logo: SiteLogo | null;
}

interface SiteLogo {
  bytes: Buffer;
  contentType: string;
  etag: string;
}

/** The path of the operator's logo, or of the built-in one. */
export const logoPath = "/site/logo";

const maxLogoBytes = 262_144;
const types: Readonly<Record<string, string>> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
};

/** Reads the logo. Throws an OperatorError with the file if it cannot be read, is empty or is too large. */
export async function openBrand({ name, color, logo }: SiteSettings): Promise<SiteBrand> {
  return { name, style: color === null ? "" : styleOf(color), logo: logo === undefined ? null : await readLogo(logo) };
}

async function readLogo(file: string): Promise<SiteLogo> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`SITE_LOGO is ${file}, which cannot be read (${error.code}).`);
  });
  if (bytes.length === 0 || bytes.length > maxLogoBytes)
    throw new OperatorError(`SITE_LOGO (${file}) has ${bytes.length} bytes; it takes 1 to ${maxLogoBytes}.`);
  const contentType = types[extname(file).toLowerCase()] ?? "application/octet-stream";
  return { bytes, contentType, etag: etagOf(bytes) };
}

/** The shades replace the shades named violet in the theme. */
function styleOf(color: string): string {
  const shades = shadesOf(color);
  const ramp = shades.map((shade, index) => `--mantine-color-violet-${index}:${shade}`);
  const [strong = color, light = color] = [shades[6], shades[3]];
  const tints = [
    `--accent-chosen:light-dark(${shades[0]},color-mix(in srgb,${strong} 30%,#100e15))`,
    `--mantine-color-violet-light:color-mix(in srgb,${strong} 10%,transparent)`,
    `--mantine-color-violet-light-hover:color-mix(in srgb,${strong} 14%,transparent)`,
    `--mantine-color-violet-outline-hover:color-mix(in srgb,${strong} 6%,transparent)`,
    // The properties of pages outside of the web app.
    `--accent:light-dark(${strong},${light})`,
  ];
  return `\n:root:root{${[...ramp, ...tints].join(";")}}`;
}

/** The comments in portal/index.html before and after the built-in logo. */
const siteMark = /<!-- \/?SITE_MARK -->/;

/**
 * A page of the built web app with the name, the color and the logo of the site, in the places that portal/index.html
 * marks.
 */
export const branded = (html: string, { name, style, logo }: SiteBrand): string =>
  html
    .replaceAll("{{SITE_NAME}}", () => escapeHtml(name))
    .split(siteMark)
    .map((part, index) => {
      if (index !== 1) return part;
      return logo === null ? part.trim() : `<img src="${logoPath}" height="26" alt="">`;
    })
    .join("")
    .replace("<!-- SITE_STYLE -->", () => (style === "" ? "" : `<style>${style}</style>`));

/** The frame of the pages outside of the web app, in the reader's language. */
export const frameFor =
  ({ name, style, logo }: SiteBrand) =>
  (context: RequestContext): PageFrame => {
    const locale = readerLocale(context);
    return {
      name,
      style: `${style}${languageStyle}`,
      logo: logo === null ? null : logoPath,
      footer: `<nav aria-label="${locale.t("frame.site")}">${legalLinks(locale)}</nav>${languageForm(locale, context.isRead ? context.url : "/")}`,
    };
  };

const languageStyle =
  ".languages{display:block;margin:0}.languages button{min-height:32px;padding:0;border:0;background:none;color:var(--text);font:inherit;text-decoration:underline;text-underline-offset:3px;cursor:pointer}";

/** A color as its red, green and blue, from 0 to 255. */
type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The share of white in the lighter shades 0 to 5. Shade 3 is for text on a dark page. */
const lighter = [0.92, 0.84, 0.7, 0.5, 0.34, 0.17];
/** The share of black in the darker shades 7 to 9. */
const darker = [0.1, 0.2, 0.32];
/** The minimum contrast of text (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;

const parseHex = (hex: string): Rgb =>
  [1, 3, 5].map((index) => Number.parseInt(hex.slice(index, index + 2), 16)) as unknown as Rgb;

const hexOf = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

const mixColors = (color: Rgb, other: Rgb, share: number): Rgb =>
  color.map((part, index) => part + ((other[index] ?? 0) - part) * share) as unknown as Rgb;

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colors, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(parseHex(one)), luminance(parseHex(other))].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Derives the ten shades of the portal's theme from a color. Shade 6 is the background of white text, and the color of
 * text on white, so a light color is darkened until the contrast is sufficient.
 */
export function shadesOf(hex: string): string[] {
  let base = parseHex(hex);
  while (contrast(hexOf(base), "#ffffff") < leastContrast) base = mixColors(base, black, 0.04);
  return [
    ...lighter.map((share) => hexOf(mixColors(base, white, share))),
    hexOf(base),
    ...darker.map((share) => hexOf(mixColors(base, black, share))),
  ];
}

const headers = {
  "cache-control": "public, max-age=300",
  // An SVG that is opened directly runs no script and loads nothing.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
};

/** The logo, which mails and other sites show, too, and the manifest of the web app. `folder` has the built portal. */
export const brandRoutes = ({ name, logo }: SiteBrand, folder: string): Route[] => {
  const manifest = new Representation(
    JSON.stringify({
      name,
      short_name: name,
      start_url: "/",
      display: "browser",
      icons: [{ src: logoPath, sizes: "any", type: logo?.contentType ?? "image/svg+xml" }],
    }),
    "application/manifest+json",
  );
  return [
    openRoute("/site.webmanifest", () => manifest, { headers: { "cache-control": "public, max-age=300" } }),
    // Browsers request /favicon.ico for a response that is not a page.
    ...[logoPath, "/favicon.ico"].map((path) =>
      openRoute(
        path,
        async ({ requestHeaders }): Promise<HttpResponse | Representation> => {
          if (logo === null) return new Representation(await ownLogo(folder), "image/svg+xml");
          const { etag, contentType, bytes } = logo;
          if (matchesEntityTag(requestHeaders["if-none-match"], etag)) return { status: 304, headers: { etag } };
          return { status: 200, headers: { etag, "content-type": contentType }, body: bytes };
        },
        { headers },
      ),
    ),
  ];
};

const ownLogo = (folder: string): Promise<string> =>
  readFile(join(folder, "icon.svg"), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? notBuilt() : error;
  });

/** A button for each other language. `back` is the path of the page that follows, by default the page with the form. */
export const languageForm = ({ language }: Locale, back?: string): string =>
  `<form class="languages" method="post" action="/language">${
    back === undefined ? "" : `<input type="hidden" name="back" value="${escapeHtml(back)}">`
  }${languageCodes
    .filter((code) => code !== language)
    .map((code) => `<button name="language" value="${code}" lang="${code}">${languages[code].name}</button>`)
    .join("")}</form>`;

/** The pages of the operator. */
export const legalLinks = (locale: Locale): string =>
  legalPages.map(({ slug, path }) => `<a href="${path}">${locale.t(`legal.${slug}`)}</a>`).join("\n");
