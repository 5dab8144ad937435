import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { prefersMarkdown } from "@beatmarket/http/negotiation/prefers-markdown.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import type { ApiRoute } from "@beatmarket/http/pipeline/api-route.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { Locale } from "../../../contract/texts/locale.ts";
import { locales } from "../../../contract/texts/locales.ts";
import { readerLocale } from "../access/reader-locale.ts";
import { type ChangelogEntry, changelog, entryPath } from "../resources/changelog/entries.ts";
import type { ReadAssets } from "./assets.ts";
import { siteDocument } from "./html/document.ts";
import { convertPage } from "./markdown.ts";
import type { PublicReads } from "./public-reads.ts";

interface ChangelogRouteParts extends ChangelogSite {
  reads: PublicReads;
  readAssets: ReadAssets;
  /** The operation table. */
  api: readonly Pick<ApiRoute, "operationId" | "tag">[];
}

const headers = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" };

/**
 * The public changelog of the API: /changelog as a page or as Markdown, /changelog.atom and /changelog.json
 * (docs/api/versioning.md).
 */
export function changelogRoutes({ reads, readAssets, api, ...site }: ChangelogRouteParts): Route[] {
  // Each format is rendered on its first request.
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

const byDate = (entries: readonly ChangelogEntry[]) => [...Map.groupBy(entries, ({ date }) => date)];

/** The address of an operation in the reference. */
type ReferencePath = (operationId: string) => string;

/** The content of the page: the entries by date, with links to their operations in the reference. */
const changelogMain = (
  locale: Locale,
  entries: readonly ChangelogEntry[],
  pathOf: ReferencePath,
): string => `<article class="page prose">
<h1>${locale.t("changelog.title")}</h1>
<p>${locale.t("changelog.lead", { versioning: '<a href="/portal/docs/api/versioning">', atom: '<a href="/changelog.atom">', json: '<a href="/changelog.json">', end: "</a>" })}</p>
${byDate(entries)
  .map(
    ([date, group]) => `<h2 id="${date}"><time datetime="${date}">${date}</time></h2>
${group.map((entry) => entrySection(locale, entry, pathOf)).join("\n")}`,
  )
  .join("\n")}
</article>`;

const entrySection = (
  locale: Locale,
  entry: ChangelogEntry,
  pathOf: ReferencePath,
): string => `<section id="${entry.id}">
<h3 lang="en"><a href="#${entry.id}">${escapeHtml(entry.title)}</a></h3>
<p class="dim">${[
  locale.t(`changelog.${entry.kind}`),
  ...entry.operations.map((id) => namedLink(id, pathOf(id))),
  ...entry.events.map((type) => namedLink(type, "/portal/docs/api/events#event-types")),
].join(" · ")}</p>
<div lang="en">${convertPage(entry.text).html}</div>
</section>`;

const namedLink = (name: string, path: string): string =>
  `<a href="${escapeHtml(path)}"><code>${escapeHtml(name)}</code></a>`;

/** The entries as Markdown, for programs. Links are absolute. */
const changelogMarkdown = (entries: readonly ChangelogEntry[], { publicUrl }: ChangelogSite): string =>
  `# ${locales.en.t("changelog.title")}

What changed, newest first. Each entry names the operations and events that it is about.

${byDate(entries)
  .map(([date, group]) => `## ${date}\n\n${group.map((entry) => entryMarkdown(entry, publicUrl)).join("\n\n")}`)
  .join("\n\n")}
`;

const entryMarkdown = ({ title, text, kind, operations, events }: ChangelogEntry, publicUrl: string): string =>
  `### ${title}

${[locales.en.t(`changelog.${kind}`), ...[...operations, ...events].map((name) => `\`${name}\``)].join(", ")}

${text.replaceAll("](/", `](${publicUrl}/`)}`;

interface ChangelogSite {
  publicUrl: string;
  /** The operator's name of the site. */
  site: string;
}

const titleOf = (site: string): string => `Changes of the API of ${site}`;
const timeOf = ({ date }: ChangelogEntry): string => `${date}T00:00:00Z`;

/** The HTML of an entry in a feed, with absolute links. */
const htmlOf = ({ text }: ChangelogEntry, publicUrl: string): string =>
  convertPage(text).html.replaceAll('href="/', `href="${escapeHtml(publicUrl)}/`);

/** The Atom feed (RFC 4287). Categories name the kind, the operations and the events of an entry. */
function changelogAtom(entries: readonly ChangelogEntry[], { publicUrl, site }: ChangelogSite): string {
  const base = escapeHtml(publicUrl);
  const category = (scheme: string, term: string) => `<category scheme="${base}/changelog#${scheme}" term="${term}"/>`;
  const entryOf = (entry: ChangelogEntry) => `<entry>
<id>${base}${entryPath(entry)}</id>
<title>${escapeHtml(entry.title)}</title>
<published>${timeOf(entry)}</published>
<updated>${timeOf(entry)}</updated>
<link rel="alternate" type="text/html" href="${base}${entryPath(entry)}"/>
${[
  category("kind", entry.kind),
  ...entry.operations.map((id) => category("operation", id)),
  ...entry.events.map((type) => category("event", type)),
].join("\n")}
<content type="html">${escapeHtml(htmlOf(entry, publicUrl))}</content>
</entry>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${base}/changelog</id>
<title>${escapeHtml(titleOf(site))}</title>
<updated>${entries[0] === undefined ? "1970-01-01T00:00:00Z" : timeOf(entries[0])}</updated>
<author><name>${escapeHtml(site)}</name></author>
<link rel="self" type="application/atom+xml" href="${base}/changelog.atom"/>
<link rel="alternate" type="text/html" href="${base}/changelog"/>
${entries.map(entryOf).join("\n")}
</feed>
`;
}

/** A JSON Feed 1.1 (https://www.jsonfeed.org). The extension `_api` has the kind, operations and events of an entry. */
const changelogJson = (entries: readonly ChangelogEntry[], { publicUrl, site }: ChangelogSite): string =>
  JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: titleOf(site),
    home_page_url: `${publicUrl}/changelog`,
    feed_url: `${publicUrl}/changelog.json`,
    language: "en",
    items: entries.map((entry) => ({
      id: `${publicUrl}${entryPath(entry)}`,
      url: `${publicUrl}${entryPath(entry)}`,
      title: entry.title,
      content_html: htmlOf(entry, publicUrl),
      content_text: entry.text.replaceAll("](/", `](${publicUrl}/`),
      date_published: timeOf(entry),
      tags: [entry.kind, ...entry.operations, ...entry.events],
      _api: { kind: entry.kind, operations: entry.operations, events: entry.events },
    })),
  });
