import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { prefersMarkdown } from "@beatmarket/http/negotiation/prefers-markdown.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import type { ApiRoute } from "@beatmarket/http/pipeline/api-route.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { readerLocale } from "../../access/reader-locale.ts";
import { changelog } from "../../resources/changelog/entries.ts";
import type { ReadAssets } from "../assets.ts";
import { siteDocument } from "../html/document.ts";
import type { PublicReads } from "../public-reads.ts";
import { type ChangelogSite, changelogAtom, changelogJson } from "./feeds.ts";
import { changelogMain, changelogMarkdown } from "./page.ts";

interface ChangelogRouteParts extends ChangelogSite {
  reads: PublicReads;
  readAssets: ReadAssets;
  /** The operation table. */
  api: readonly Pick<ApiRoute, "operationId" | "tag">[];
}

const headers = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" };

/** What changed in the API, for anyone: /changelog as a page or as Markdown, /changelog.atom and /changelog.json (docs/api/versioning.md). */
export function changelogRoutes({ reads, readAssets, api, ...site }: ChangelogRouteParts): Route[] {
  // Each form is made on its first request.
  const readMarkdown = onFirstUse(
    async () => new Representation(changelogMarkdown(changelog, site), "text/markdown; charset=utf-8"),
  );
  const slugOf = new Map(api.map(({ operationId, tag }) => [operationId, tag.toLowerCase()]));
  const feed = (path: string, write: typeof changelogAtom, type: string): Route => {
    const read = onFirstUse(async () => new Representation(write(changelog, site), type));
    return openRoute(path, read, { isVital: true, headers: { ...headers, vary: "Accept-Encoding" } });
  };
  return [
    openRoute(
      "/changelog",
      async (context): Promise<Content> => {
        if (prefersMarkdown(context.requestHeaders.accept ?? "")) {
          Object.assign(context.headers, headers, { vary: "Accept, Accept-Encoding" });
          return await readMarkdown();
        }
        const locale = readerLocale(context);
        const page = await reads.page(`${locale.language} changelog`, context, async () =>
          siteDocument(await readAssets(), locale, {
            title: locale.t("changelog.title"),
            description: locale.t("changelog.description", { site: site.site }),
            canonical: `${site.publicUrl}/changelog`,
            feed: `${site.publicUrl}/changelog.atom`,
            main: changelogMain(locale, changelog, (id) => `/explorer/${slugOf.get(id)}#${id}`),
          }),
        );
        Object.assign(context.headers, page.headers);
        return page.representation;
      },
      { isVital: true },
    ),
    feed("/changelog.atom", changelogAtom, "application/atom+xml; charset=utf-8"),
    feed("/changelog.json", changelogJson, "application/feed+json"),
  ];
}
