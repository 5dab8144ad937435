import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { legalPages } from "../../site-settings.ts";
import type { ReadAssets } from "../assets.ts";
import { siteDocument } from "../html/document.ts";
import type { PublicReads } from "../public-reads.ts";
import type { LegalSlug, LegalTexts } from "./texts.ts";

interface LegalParts {
  reads: PublicReads;
  readAssets: ReadAssets;
  publicUrl: string;
  texts: LegalTexts;
  /** The name of the site. */
  site: string;
}

interface Missing {
  title: string;
  /** What the page would say. */
  says: string;
  /** What readers can look at instead; HTML. */
  instead: string;
}

const missing: Readonly<Record<LegalSlug, Missing>> = {
  terms: {
    title: "Terms",
    says: "under which terms people use this site, who offers it, and which law applies",
    instead: `What a license allows stands beside its price, and in its certificate: <a href="/portal/docs/licenses">Licenses</a>.`,
  },
  privacy: {
    title: "Privacy",
    says: "who is responsible for personal data, why it is kept, for how long, and whom to ask about it",
    instead: `What the software keeps of an account, exports and erases: <a href="/portal/docs/privacy">Privacy</a>.`,
  },
  contact: {
    title: "Contact",
    says: "who runs this site, with an address and a way to write to them",
    instead: `About an order: write to its producer from your <a href="/library">library</a>.`,
  },
};

/** `/terms`, `/privacy` and `/contact`, for anyone: what the operator wrote, or what is missing and how to add it. */
export const legalRoutes = ({ reads, readAssets, publicUrl, texts, site }: LegalParts): Route[] =>
  legalPages.map(({ slug, path }) =>
    openRoute(
      path,
      async (context): Promise<Content> => {
        const { representation, headers } = await reads.page(`legal ${slug}`, context, async () => {
          const text = texts[slug];
          const title = text?.title ?? missing[slug].title;
          return siteDocument(await readAssets(), {
            title,
            description: `${title} of ${site}.`,
            canonical: `${publicUrl}${path}`,
            main: `<article class="page prose">\n<h1>${escapeHtml(title)}</h1>\n${text?.html ?? defaultHtml(slug, site)}\n</article>`,
          });
        });
        Object.assign(context.headers, headers);
        return representation;
      },
      { isVital: true },
    ),
  );

const defaultHtml = (
  slug: LegalSlug,
  site: string,
): string => `<p>The operator of ${escapeHtml(site)} has not written this page yet. It would say ${missing[slug].says}.</p>
<p>${missing[slug].instead}</p>
<h2 id="add-it">If you operate this site</h2>
<p>Write the page in Markdown as <code>${slug}.md</code>, put it into a folder, and start the service with <code>SITE_PAGES</code> naming that folder.
<a href="/portal/docs/operating#the-pages-of-your-site">The guide to operating</a> says more.</p>`;
