import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { type CodeLanguage, tokenClasses, tokensOf } from "../../../../contract/snippets/tokens.ts";

/** Code as HTML in colours. */
export const highlighted = (code: string, language: CodeLanguage): string =>
  tokensOf(code, language)
    .map(({ text, kind }) =>
      kind === null ? escapeHtml(text) : `<span class="${tokenClasses[kind]}">${escapeHtml(text)}</span>`,
    )
    .join("");
