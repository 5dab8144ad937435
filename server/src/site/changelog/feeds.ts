import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { type ChangelogEntry, entryPath } from "../../resources/changelog/entry.ts";
import { convertPage } from "../markdown.ts";

export interface ChangelogSite {
  publicUrl: string;
  /** The operator's name of the site. */
  site: string;
}

const titleOf = (site: string): string => `Changes of the API of ${site}`;
const timeOf = ({ date }: ChangelogEntry): string => `${date}T00:00:00Z`;

/** HTML for readers elsewhere, so its links are absolute. */
const htmlOf = ({ text }: ChangelogEntry, publicUrl: string): string =>
  convertPage(text).html.replaceAll('href="/', `href="${escapeHtml(publicUrl)}/`);

/** By RFC 4287. Categories name the kind, the operations and the events of an entry. */
export function changelogAtom(entries: readonly ChangelogEntry[], { publicUrl, site }: ChangelogSite): string {
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

/** A JSON Feed 1.1 (https://www.jsonfeed.org), with what it is about for programs in `_api`. */
export const changelogJson = (entries: readonly ChangelogEntry[], { publicUrl, site }: ChangelogSite): string =>
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
