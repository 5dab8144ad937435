import { resolve } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** The operator's settings of the public pages. Paths are absolute. */
export interface SiteSettings {
  name: string;
  /** `#rrggbb`; null: the color of the style sheets. */
  color: string | null;
  /** A picture's file; undefined: the logo of this program. */
  logo: string | undefined;
  /** A folder with `terms.md`, `privacy.md` and `contact.md`. */
  pages: string | undefined;
}

/** The operator's settings of all mails. */
export interface MailBrand {
  site: string;
  logoUrl: string | null;
  /** The name and address of the operator, which many countries require. */
  footer: string | null;
  /** The pages of the operator. */
  links: readonly { slug: LegalSlug; name: string; url: string }[];
}

/** The operator's legal pages. Every page and mail links to them. */
export const legalPages = [
  { slug: "terms", path: "/terms", name: "Terms" },
  { slug: "privacy", path: "/privacy", name: "Privacy" },
  { slug: "contact", path: "/contact", name: "Contact" },
] as const;

export type LegalSlug = (typeof legalPages)[number]["slug"];

const maxNameLength = 60;

/** Checks the settings. Throws an OperatorError that names the variable and its valid values. */
export const readSite = (
  settings: Record<"color" | "logo" | "pages", string | undefined> & { name: string },
): SiteSettings => ({
  name: siteName(settings.name),
  color: siteColor(settings.color),
  logo: siteLogo(settings.logo),
  pages: settings.pages === undefined ? undefined : resolve(settings.pages),
});

export const mailBrandOf = (
  site: SiteSettings,
  { origin, logoUrl, footer }: { origin: string; logoUrl: string | null; footer: string | null },
): MailBrand => ({
  site: site.name,
  logoUrl: logoUrl ?? mailLogo(site, origin),
  footer,
  links: legalPages.map(({ slug, name, path }) => ({ slug, name, url: `${origin}${path}` })),
});

function siteName(value: string): string {
  if (/\p{Cc}/u.test(value) || value.length > maxNameLength)
    throw new OperatorError(`SITE_NAME takes one line of at most ${maxNameLength} characters.`);
  return value;
}

function siteColor(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!/^#[0-9a-f]{6}$/i.test(value))
    throw new OperatorError(`SITE_COLOR is "${value}"; it takes a color such as #1a7f64.`);
  return value.toLowerCase();
}

function siteLogo(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!/\.(svg|png|jpe?g|webp)$/i.test(value))
    throw new OperatorError(`SITE_LOGO is "${value}"; it takes the file of an SVG, PNG, JPEG or WebP picture.`);
  return resolve(value);
}

/** The address of the logo for mails; null without a logo, or for an SVG, which mail programs do not show. */
const mailLogo = ({ logo }: SiteSettings, origin: string): string | null =>
  logo === undefined || /\.svg$/i.test(logo) ? null : `${origin}/site/logo`;

/** A name in a mail address (RFC 5322). It is quoted unless it has only letters, digits and spaces. */
const quotedName = (name: string): string =>
  /^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/g, "\\$&")}"`;

/** The sender of mails without MAIL_FROM. */
export const mailSender = ({ name }: SiteSettings): string => `${quotedName(name)} <no-reply@beatmarket.example>`;
