import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { readerLocale } from "../../access/reader-locale.ts";
import { type LegalSlug, legalPages } from "../../site-settings.ts";
import type { ReadAssets } from "../assets.ts";
import { siteDocument } from "../html/document.ts";
import type { PublicReads } from "../public-reads.ts";
import type { LegalTexts } from "./texts.ts";

interface LegalParts {
  reads: PublicReads;
  readAssets: ReadAssets;
  publicUrl: string;
  texts: LegalTexts;
  /** The name of the site. */
  site: string;
}

/** Links for the reader instead of a missing page. */
const alternatives: Readonly<Record<LegalSlug, string>> = {
  terms: "/portal/docs/licenses",
  privacy: "/portal/docs/privacy",
  contact: "/library",
};

/**
 * `/terms`, `/privacy` and `/contact`, for anyone: the operator's text in the operator's language, or a note that it is
 * missing and how to add it.
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
