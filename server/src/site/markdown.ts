import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { Marked, type Token } from "marked";

export interface ConvertedPage {
  /** The first heading of level 1; null if there is no such heading. */
  title: string | null;
  /** The HTML of the text after the heading. */
  html: string;
}

/** The addresses that may be links. Others, such as `javascript:`, stay text. */
const isSafe = (href: string): boolean => /^(https?:|mailto:|tel:|\/(?!\/)|#)/i.test(href);

/** Converts Markdown. HTML in it is shown as text, so the HTML can neither run nor change the page. */
export function convertPage(markdown: string): ConvertedPage {
  let title: string | null = null;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = plain(tokens);
        if (depth === 1 && title === null) {
          title = text;
          return "";
        }
        const level = Math.max(depth, 2);
        return `<h${level} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return isSafe(href) ? `<a href="${escapeHtml(href)}" rel="noreferrer">${text}</a>` : text;
      },
      image: ({ href, text }) =>
        /^https:/i.test(href)
          ? `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}" loading="lazy">`
          : escapeHtml(text),
      html: ({ text }) => escapeHtml(text),
    },
  });
  const html = marked.parse(markdown, { async: false }).trim();
  return { title, html };
}

/** Letters and digits of the heading, joined by hyphens, as on GitHub. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");

const plain = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if ("tokens" in token && token.tokens !== undefined) return plain(token.tokens);
      return "text" in token ? String(token.text) : "";
    })
    .join("");
