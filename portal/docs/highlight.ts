import { createCssVariablesTheme, createHighlighter, type Highlighter } from "shiki";

const theme = createCssVariablesTheme({ name: "variables", variablePrefix: "--shiki-" });
const languages = ["bash", "go", "javascript", "json", "php", "python", "ruby", "sql", "typescript", "xml"];
const aliases: Record<string, string> = { js: "javascript", sh: "bash" };
let loading: Promise<Highlighter> | undefined;

/** Code as HTML. A token is a span whose class, `sh-keyword` and so on, names a colour; unknown languages have none. */
export async function highlight(code: string, language: string): Promise<string> {
  const lang = aliases[language] ?? language;
  if (!languages.includes(lang)) return escapeHtml(code);
  loading ??= createHighlighter({ themes: [theme], langs: languages });
  // Without a time limit: on a busy machine the same code must become the same HTML.
  const options = { lang: lang as "json", theme: "variables", tokenizeTimeLimit: 0 };
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
