import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { ChangelogEntry } from "../../resources/changelog/entry.ts";
import { convertPage } from "../markdown.ts";
import type { ChangelogSite } from "./feeds.ts";

const kindNames = { added: "Added", changed: "Changed", fixed: "Fixed", deprecated: "Deprecated" } as const;

const byDate = (entries: readonly ChangelogEntry[]) => [...Map.groupBy(entries, ({ date }) => date)];

/** Where the reference has an operation. */
type ReferencePath = (operationId: string) => string;

/** The page's content: each entry under its date, with links to the reference of its operations. */
export const changelogMain = (
  entries: readonly ChangelogEntry[],
  pathOf: ReferencePath,
): string => `<article class="page prose">
<h1>Changelog of the API</h1>
<p>What changed, newest first. <a href="/portal/docs/api/versioning">Versioning</a> says what may change within a version. Subscribe to the
<a href="/changelog.atom">Atom feed</a> or the <a href="/changelog.json">JSON feed</a>.</p>
${byDate(entries)
  .map(
    ([date, group]) => `<h2 id="${date}"><time datetime="${date}">${date}</time></h2>
${group.map((entry) => entrySection(entry, pathOf)).join("\n")}`,
  )
  .join("\n")}
</article>`;

const entrySection = (entry: ChangelogEntry, pathOf: ReferencePath): string => `<section id="${entry.id}">
<h3><a href="#${entry.id}">${escapeHtml(entry.title)}</a></h3>
<p class="dim">${[
  kindNames[entry.kind],
  ...entry.operations.map((id) => namedLink(id, pathOf(id))),
  ...entry.events.map((type) => namedLink(type, "/portal/docs/api/events#event-types")),
].join(" · ")}</p>
${convertPage(entry.text).html}
</section>`;

const namedLink = (name: string, path: string): string =>
  `<a href="${escapeHtml(path)}"><code>${escapeHtml(name)}</code></a>`;

/** The same for programs that read Markdown. Links are absolute. */
export const changelogMarkdown = (entries: readonly ChangelogEntry[], { publicUrl }: ChangelogSite): string =>
  `# Changelog of the API

What changed, newest first. Each entry names the operations and events that it is about.

${byDate(entries)
  .map(([date, group]) => `## ${date}\n\n${group.map((entry) => entryMarkdown(entry, publicUrl)).join("\n\n")}`)
  .join("\n\n")}
`;

const entryMarkdown = ({ title, text, kind, operations, events }: ChangelogEntry, publicUrl: string): string =>
  `### ${title}

${[kindNames[kind], ...[...operations, ...events].map((name) => `\`${name}\``)].join(", ")}

${text.replaceAll("](/", `](${publicUrl}/`)}`;
