import type { Language } from "./language.ts";

/** The languages of snippets, and JSON. */
export type CodeLanguage = "shell" | "javascript" | "python" | "php" | "ruby" | "go" | "json";
export type TokenKind = "string" | "comment" | "name" | "keyword" | "variable" | "number";

export interface Token {
  text: string;
  /** Null for plain text. */
  kind: TokenKind | null;
}

/** The language of the code of a snippet. */
export const codeLanguage = (language: Language): CodeLanguage => (language === "curl" ? "shell" : language);

/** The CSS classes of tokens on public pages: in the HTML of the server, and in responses that the script shows. */
export const tokenClasses: Readonly<Record<TokenKind, string>> = {
  string: "tok-s",
  comment: "tok-c",
  name: "tok-k",
  keyword: "tok-k",
  variable: "tok-n",
  number: "tok-n",
};

const hashComment = String.raw`(?<=^|\s)#.*`;
const slashComment = String.raw`(?<=^|\s)//.*`;
const comments: Readonly<Record<CodeLanguage, string>> = {
  shell: hashComment,
  javascript: slashComment,
  python: hashComment,
  php: `${hashComment}|${slashComment}`,
  ruby: hashComment,
  go: slashComment,
  json: "(?!)",
};
const words =
  "and|as|async|await|begin|catch|const|curl|def|do|echo|else|end|except|export|false|False|finally|for|foreach|from|func|function|if|import|in|is|let|new|nil|none|None|not|null|of|or|package|print|puts|raise|range|require|rescue|return|self|then|throw|true|True|try|use|var|while|with|yield";
const doubleQuoted = String.raw`"(?:\\[^]|[^"\\])*"?`;
const singleQuoted = String.raw`'(?:\\.|[^'\\\n])*'?`;
/** A single-quoted text of a shell ends only at the next single quote, even on a later line. */
const shellSingleQuoted = "'[^']*'?";

const patternOf = (language: CodeLanguage): RegExp =>
  new RegExp(
    [
      String.raw`(?<name>"(?:\\.|[^"\\\n])*"(?=\s*:(?!:)))`,
      `(?<string>${doubleQuoted}|${language === "shell" ? shellSingleQuoted : singleQuoted})`,
      `(?<comment>${comments[language]})`,
      String.raw`(?<variable>[$@]\w+|\$\{\w+\})`,
      String.raw`\b(?<keyword>${words})\b(?!\s*[:=]|-)`,
      String.raw`(?<number>(?<![\w.-])-?\d+(?:\.\d+)?\b)`,
    ].join("|"),
    "gm",
  );

const patterns = new Map<CodeLanguage, RegExp>();

/**
 * Splits code into tokens for highlighting. It suffices for the short programs of snippets and for JSON. A grammar of
 * each language would be ten times as much to load.
 */
export function tokensOf(code: string, language: CodeLanguage): Token[] {
  const pattern = patterns.get(language) ?? patternOf(language);
  patterns.set(language, pattern);
  const tokens: Token[] = [];
  let from = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > from) tokens.push({ text: code.slice(from, match.index), kind: null });
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    tokens.push({ text: match[0], kind: (kind ?? null) as TokenKind | null });
    from = match.index + match[0].length;
  }
  if (from < code.length) tokens.push({ text: code.slice(from), kind: null });
  return tokens;
}
