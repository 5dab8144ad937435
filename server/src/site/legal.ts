import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { Locale } from "../../../contract/texts/locale.ts";
import { readerLocale } from "../access/reader-locale.ts";
import { type LegalSlug, legalPages, type SiteSettings } from "../site-settings.ts";
import type { ReadAssets } from "./assets.ts";
import { siteDocument } from "./html/document.ts";
import { type ConvertedPage, convertPage } from "./markdown.ts";
import type { PublicReads } from "./public-reads.ts";

/** The operator's texts, by page; null for a page without a text. */
type LegalTexts = Readonly<Record<LegalSlug, ConvertedPage | null>>;

const maxBytes = 524_288;
const noTexts: LegalTexts = { terms: null, privacy: null, contact: null };

/** Reads SITE_PAGES. Throws an OperatorError that names the file and the mistake. */
export async function openLegalTexts({ pages: folder }: Pick<SiteSettings, "pages">): Promise<LegalTexts> {
  if (folder === undefined) return noTexts;
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `SITE_PAGES is ${folder}, which cannot be read (${error.code}). It takes a folder with ${fileNames}.`,
    );
  });
  const texts: Record<LegalSlug, ConvertedPage | null> = { ...noTexts };
  for (const { slug } of legalPages)
    if (names.includes(`${slug}.md`)) texts[slug] = await readText(join(folder, `${slug}.md`));
  const unknown = names.find((name) => name.endsWith(".md") && !(name.slice(0, -".md".length) in noTexts));
  if (unknown !== undefined)
    throw new OperatorError(`${join(folder, unknown)} is not a page of the site. SITE_PAGES takes ${fileNames}.`);
  return texts;
}

const fileNames = legalPages.map(({ slug }) => `${slug}.md`).join(", ");

async function readText(file: string): Promise<ConvertedPage> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} cannot be read (${error.code}).`);
  });
  if (bytes.length > maxBytes)
    throw new OperatorError(`${file} has ${bytes.length} bytes; it takes at most ${maxBytes}.`);
  const text = bytes.toString("utf8");
  if (text.trim() === "") throw new OperatorError(`${file} is empty. Write the page, or delete the file.`);
  if (text.includes("\uFFFD")) throw new OperatorError(`${file} is not UTF-8; save it as UTF-8.`);
  return convertPage(text);
}

interface LegalParts {
  reads: PublicReads;
  readAssets: ReadAssets;
  publicUrl: string;
  texts: LegalTexts;
  /** The name of the site. */
  site: string;
}

/** The links that replace a missing page. */
const alternatives: Readonly<Record<LegalSlug, string>> = {
  terms: "/portal/docs/licenses",
  privacy: "/portal/docs/privacy",
  contact: "/library",
};

/**
 * The public pages `/terms`, `/privacy` and `/contact`, with the operator's text in the operator's language. A missing
 * page says how to add the text.
 */
export const legalRoutes = ({ reads, readAssets, publicUrl, texts, site }: LegalParts): Route[] =>
  legalPages.map(({ slug, path }) =>
    openRoute(
      path,
      async (context): Promise<Content> => {
        const locale = readerLocale(context);
        const { representation, headers } = await reads.page(`${locale.language} legal ${slug}`, context, async () => {
          const text = texts[slug];
          const title = text?.title ?? locale.t(`legal.${slug}`);
          return siteDocument(await readAssets(), locale, {
            title,
            description: locale.t("legal.description", { title, site }),
            canonical: `${publicUrl}${path}`,
            main: `<article class="page prose">\n<h1>${escapeHtml(title)}</h1>\n${text?.html ?? defaultHtml(locale, slug, site)}\n</article>`,
          });
        });
        Object.assign(context.headers, headers);
        return representation;
      },
      { isVital: true },
    ),
  );

const defaultHtml = (locale: Locale, slug: LegalSlug, site: string): string => {
  const link = (path: string) => ({ link: `<a href="${path}">`, end: "</a>" });
  const file = `<code>${slug}.md</code>`;
  const setting = "<code>SITE_PAGES</code>";
  const guide = link("/portal/docs/operating#the-pages-of-your-site");
  return `<p>${locale.t("legal.missing", { site: escapeHtml(site), content: locale.t(`legal.${slug}Content`) })}</p>
<p>${locale.t(`legal.${slug}Instead`, link(alternatives[slug]))}</p>
<h2 id="add-it">${locale.t("legal.operator")}</h2>
<p>${locale.t("legal.write", { file, setting, ...guide })}</p>`;
};
