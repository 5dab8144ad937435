import { type CodeLanguage, type TokenKind, tokensOf } from "../../../../contract/snippets/tokens.ts";
import { escapeHtml } from "../../text/html.ts";

/** The colours of the public pages (`tok-…`). */
const tokenClasses: Readonly<Record<TokenKind, string>> = {
  string: "tok-s",
  comment: "tok-c",
  name: "tok-k",
  keyword: "tok-k",
  variable: "tok-n",
  number: "tok-n",
};

/** Code as HTML in colours. */
export const highlighted = (code: string, language: CodeLanguage): string =>
  tokensOf(code, language)
    .map(({ text, kind }) =>
      kind === null ? escapeHtml(text) : `<span class="${tokenClasses[kind]}">${escapeHtml(text)}</span>`,
    )
    .join("");
