import { posix } from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { documents, pathOf, sourceOf } from "./contents.ts";
import { escapeHtml, highlight } from "./highlight.ts";
import { Slugs } from "./slugs.ts";

/** A Markdown document, converted for a page. */
export interface ConvertedDocument {
  title: string;
  /** The anchor of the title. */
  titleId: string;
  /** The first paragraph, as text. Lines of method and path in docs/api (`GET /beats · …`) do not count. */
  summary: string;
  /** The HTML without the title. `imageMark(path)` is the placeholder for the address of an image. */
  html: string;
  headings: Heading[];
  /** The searchable text: one section for the title and one for each heading. */
  sections: Section[];
  /** The documents and headings that the document links to. A test checks that they exist. */
  links: { name: string; anchor: string | null }[];
  /** The image files, relative to docs/. */
  images: string[];
}

export interface Heading {
  id: string;
  level: number;
  text: string;
}

export interface Section {
  /** The anchor of the heading; empty for the text below the title. */
  id: string;
  heading: string;
  text: string;
}

/** The data that a conversion needs from other files of docs/. */
export interface Others {
  /** The title of a document. */
  titleOf(name: string): string;
  /**
   * The size of an image in CSS pixels; it prevents a layout shift when the image loads. `path` is relative to docs/.
   */
  sizeOf(path: string): { width: number; height: number };
}

export const imageMark = (path: string): string => `\0${path}\0`;

/** Converts a document. HTML inside the Markdown is escaped and shown as text. */
export async function convert(name: string, markdown: string, { titleOf, sizeOf }: Others): Promise<ConvertedDocument> {
  const slugs = new Slugs();
  const folder = posix.dirname(name);
  const result: ConvertedDocument = {
    title: "",
    titleId: "",
    summary: "",
    html: "",
    headings: [],
    sections: [],
    links: [],
    images: [],
  };
  const code = new Map<Token, string>();
  let section: Section = { id: "", heading: "", text: "" };
  result.sections.push(section);

  const documentOf = (href: string): { name: string; anchor: string | null } | null => {
    const [file = "", anchor = null] = href.split("#");
    const source = file === "" ? sourceOf(name) : posix.join(posix.dirname(sourceOf(name)), file);
    const address = posix.join(folder, file).replace(/\.md$/, "");
    // A generated page has no file, so links to it and from it contain addresses.
    const target = documents.find((each) => sourceOf(each) === source) ?? documents.find((each) => each === address);
    return target === undefined ? null : { name: target, anchor };
  };

  const marked = new Marked({
    async: true,
    walkTokens: async (token) => {
      if (token.type === "code") code.set(token, await highlight(token.text, token.lang ?? ""));
    },
    renderer: {
      heading({ tokens, depth }) {
        const text = plain(tokens);
        const id = slugs.next(text);
        if (depth === 1) {
          result.title = text;
          result.titleId = id;
          return "";
        }
        result.headings.push({ id, level: depth, text });
        return `<div class="heading"><h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}><a href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a></div>\n`;
      },
      code(token) {
        return `<div class="code"><button type="button" data-copy>Copy</button><pre tabindex="0" role="group" aria-label="Code"><code>${code.get(token) ?? ""}</code></pre></div>\n`;
      },
      link({ href, title, tokens }) {
        const text = this.parser.parseInline(tokens);
        if (/^[a-z]+:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${text}</a>`;
        const target = documentOf(href);
        // The portal has no page for this file of the repository.
        if (target === null) return `<span title="${escapeHtml(title ?? `${href} in the repository`)}">${text}</span>`;
        result.links.push(target);
        const address = `/portal${pathOf(target.name)}${target.anchor === null ? "" : `#${target.anchor}`}`;
        // A link whose text is a file name shows the title of the page instead.
        const label = /^[\w/-]+\.md$/.test(plain(tokens)) ? escapeHtml(titleOf(target.name)) : text;
        return `<a href="${escapeHtml(address)}">${label}</a>`;
      },
      image({ href, text }) {
        const path = posix.join(folder, href);
        const { width, height } = sizeOf(path);
        result.images.push(path);
        return `<img src="${imageMark(path)}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy">`;
      },
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row
            .map(
              (cell) => `<${tag}${tag === "th" ? ` scope="col"` : ""}>${this.parser.parseInline(cell.tokens)}</${tag}>`,
            )
            .join("");
        const body = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        // A table whose header cells are all empty gets no header.
        const head = token.header.every(({ text }) => text === "")
          ? ""
          : `<thead><tr>${cells(token.header, "th").replaceAll(`<th scope="col"></th>`, "<td></td>")}</tr></thead>\n`;
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      html: ({ text }) => escapeHtml(text),
    },
  });
  result.html = (await marked.parse(markdown)).trim();

  // A second pass collects the sections. Its ids must equal those of the headings above.
  const sectionSlugs = new Slugs();
  for (const token of marked.lexer(markdown)) {
    if (token.type === "heading") {
      const heading = plain(token.tokens ?? []);
      const id = sectionSlugs.next(heading);
      if (token.depth === 1) {
        section.heading = heading;
        continue;
      }
      section = { id, heading, text: "" };
      result.sections.push(section);
    } else if (token.type !== "code" && token.type !== "space") {
      const text = plain([token]).replace(/\s+/g, " ").trim();
      if (result.summary === "" && token.type === "paragraph" && !/^[A-Z]+ \/\S+ · /.test(text)) result.summary = text;
      section.text = section.text === "" ? text : `${section.text} ${text}`;
    }
  }
  return result;
}

/** The text of tokens, without images, code blocks and HTML. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "table") {
        const table = token as Tokens.Table;
        return [table.header, ...table.rows].map((row) => row.map((cell) => plain(cell.tokens)).join(" ")).join(" ");
      }
      if (token.type === "image" || token.type === "code" || token.type === "html") return "";
      if (token.type === "list") return (token as Tokens.List).items.map((item) => plain(item.tokens)).join(" ");
      if (token.type === "br") return " ";
      if ("tokens" in token && token.tokens !== undefined) return plain(token.tokens);
      return "text" in token ? unescapeHtml(String(token.text)) : "";
    })
    .join("");
}

/** Undoes the HTML escaping that the lexer applies to some texts. */
const unescapeHtml = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
