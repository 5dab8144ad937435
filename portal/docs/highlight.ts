import { createCssVariablesTheme, createHighlighter, type Highlighter } from "shiki";

const theme = createCssVariablesTheme({ name: "variables", variablePrefix: "--shiki-" });
const languages = ["bash", "go", "javascript", "json", "php", "python", "ruby", "sql", "typescript", "xml"];
const aliases: Record<string, string> = { js: "javascript", sh: "bash" };
let loading: Promise<Highlighter> | undefined;

/** Code as HTML. Each token is a span with a colour class such as `sh-keyword`. Unknown languages get no spans. */
export async function highlight(code: string, language: string): Promise<string> {
  const lang = aliases[language] ?? language;
  if (!languages.includes(lang)) return escapeHtml(code);
  loading ??= createHighlighter({ themes: [theme], langs: languages });
  // No time limit: the HTML must not depend on how busy the machine is.
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

/** Escapes a text for an HTML element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
