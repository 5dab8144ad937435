import { escapeHtml } from "../../text/html.ts";

/** A string, a comment, a word of a language, a number. An escaped quote ends a string: only its colour. */
const token =
  /("[^"\n]*"?|'[^'\n]*'?)|((?:#|\/\/)[^\n]*)|\b(and|as|async|await|const|do|echo|end|export|false|for|foreach|from|if|import|in|is|new|nil|none|None|null|of|print|puts|require|true|use|with)\b|\b(\d+(?:\.\d+)?)/g;

/** Code as HTML: strings, comments, words of the languages and numbers in colours (`tok-…`). Of JSON, too. */
export function highlighted(code: string): string {
  let html = "";
  let from = 0;
  for (const match of code.matchAll(token)) {
    const [text, string, comment, word] = match;
    const isName =
      string !== undefined && /^\s*:/.test(code.slice(match.index + text.length, match.index + text.length + 2));
    const kind = isName || word !== undefined ? "k" : string !== undefined ? "s" : comment !== undefined ? "c" : "n";
    html += `${escapeHtml(code.slice(from, match.index))}<span class="tok-${kind}">${escapeHtml(text)}</span>`;
    from = match.index + text.length;
  }
  return html + escapeHtml(code.slice(from));
}
