import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { PageFrame } from "@beatmarket/http/html-page.ts";
import { etagOf } from "@beatmarket/http/negotiation/representation.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { readerLocale } from "../access/reader-locale.ts";
import type { SiteSettings } from "../site-settings.ts";
import { shadesOf } from "./colors.ts";
import { languageForm, legalLinks } from "./html/language-form.ts";

/** The name and the look of the site, by the operator's settings. */
export interface SiteBrand {
  name: string;
  /** CSS that follows the style sheets, with the operator's color; empty without one. */
  style: string;
  /** Null: the built-in logo. */
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

/** Reads the logo. Throws an OperatorError that names the file and what it takes. */
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

/** The shades take the place of the theme's own, which are named violet. */
function styleOf(color: string): string {
  const shades = shadesOf(color);
  const ramp = shades.map((shade, index) => `--mantine-color-violet-${index}:${shade}`);
  const [strong = color, light = color] = [shades[6], shades[3]];
  const tints = [
    `--accent-chosen:light-dark(${shades[0]},color-mix(in srgb,${strong} 30%,#100e15))`,
    `--mantine-color-violet-light:color-mix(in srgb,${strong} 10%,transparent)`,
    `--mantine-color-violet-light-hover:color-mix(in srgb,${strong} 14%,transparent)`,
    `--mantine-color-violet-outline-hover:color-mix(in srgb,${strong} 6%,transparent)`,
    // Of pages outside of the web app.
    `--accent:light-dark(${strong},${light})`,
  ];
  return `\n:root:root{${[...ramp, ...tints].join(";")}}`;
}

/** Stands before and after our mark. */
const siteMark = /<!-- \/?SITE_MARK -->/;

/** A page of the built web app with the name and the color of the site: portal/index.html has the marks. */
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
      foot: `<nav aria-label="${locale.t("frame.site")}">${legalLinks(locale)}</nav>${languageForm(locale, context.isRead ? context.url : "/")}`,
    };
  };

const languageStyle =
  ".languages{display:block;margin:0}.languages button{min-height:32px;padding:0;border:0;background:none;color:var(--text);font:inherit;text-decoration:underline;text-underline-offset:3px;cursor:pointer}";
