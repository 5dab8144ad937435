import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "@shikijs/core";
import { createOnigurumaEngine } from "@shikijs/engine-oniguruma";
import bash from "@shikijs/langs/bash";
import go from "@shikijs/langs/go";
import javascript from "@shikijs/langs/javascript";
import json from "@shikijs/langs/json";
import php from "@shikijs/langs/php";
import python from "@shikijs/langs/python";
import ruby from "@shikijs/langs/ruby";
import sql from "@shikijs/langs/sql";
import typescript from "@shikijs/langs/typescript";
import xml from "@shikijs/langs/xml";

const theme = createCssVariablesTheme({ name: "variables", variablePrefix: "--shiki-" });
const languages = { bash, go, javascript, json, php, python, ruby, sql, typescript, xml };
const aliases: Record<string, string> = { js: "javascript", sh: "bash" };
let loading: Promise<HighlighterCore> | undefined;

/** Code as HTML. A token is a span whose class, `sh-keyword` and so on, names a colour; unknown languages have none. */
export async function highlight(code: string, language: string): Promise<string> {
  const lang = aliases[language] ?? language;
  if (!Object.hasOwn(languages, lang)) return escapeHtml(code);
  loading ??= createHighlighterCore({
    themes: [theme],
    langs: Object.values(languages),
    engine: createOnigurumaEngine(import("@shikijs/engine-oniguruma/wasm-inlined")),
  });
  // Without a time limit: on a busy machine the same code must become the same HTML.
  const options = { lang, theme: "variables", tokenizeTimeLimit: 0 };
  const { tokens } = (await loading).codeToTokens(code, options);
  return tokens.map((line) => line.map(({ content, color }) => span(content, color)).join("")).join("\n");
}

function span(content: string, color = ""): string {
  const kind = /^var\(--shiki-token-([a-z-]+)\)$/.exec(color)?.[1];
  return kind === undefined || content.trim() === ""
    ? escapeHtml(content)
    : `<span class="sh-${kind}">${escapeHtml(content)}</span>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text as HTML shows it, in an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
