import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import type { ChangelogEntry } from "../../resources/changelog/entry.ts";
import { convertPage } from "../markdown.ts";
import type { ChangelogSite } from "./feeds.ts";

const byDate = (entries: readonly ChangelogEntry[]) => [...Map.groupBy(entries, ({ date }) => date)];

/** The address of an operation in the reference. */
type ReferencePath = (operationId: string) => string;

/** The page's content: each entry under its date, with links to the reference of its operations. */
export const changelogMain = (
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

/** The same for programs that read Markdown. Links are absolute. */
export const changelogMarkdown = (entries: readonly ChangelogEntry[], { publicUrl }: ChangelogSite): string =>
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
