import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { codeToTokensBase, createShikiPrimitive, type LanguageRegistration } from "@shikijs/primitive";
import { createCssVariablesTheme } from "shiki/core";
import { loadChunk } from "../../api/load-chunk.ts";
import type { CodeLanguage, Token } from "./token.ts";

// A chunk of its own, behind `highlight`. Each grammar is one, too, without those that it embeds (portal/grammars.ts): Ruby would
// bring C++ along. Grammars compiled ahead would halve this chunk, and lose all colours of shell.

/** Its colours are the theme's, `--shiki-token-…`, in both schemes. */
const theme = createCssVariablesTheme({ name: "variables", variablePrefix: "--shiki-" });

type Grammar = () => Promise<{ default: LanguageRegistration[] }>;
const grammars: Record<CodeLanguage, Grammar> = {
  shell: () => import("@shikijs/langs/shellscript"),
  javascript: () => import("@shikijs/langs/javascript"),
  python: () => import("@shikijs/langs/python"),
  php: () => import("@shikijs/langs/php"),
  ruby: () => import("@shikijs/langs/ruby"),
  json: () => import("@shikijs/langs/json"),
};

const highlighter = createShikiPrimitive({
  langs: [],
  themes: [theme],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});
const loading = new Map<CodeLanguage, Promise<string>>();

/** The name of the language's grammar once the highlighter has it. */
async function load(language: CodeLanguage): Promise<string> {
  const { default: registrations } = await loadChunk(grammars[language]);
  const grammar = registrations.at(-1);
  if (grammar === undefined) throw new Error(`There is no grammar of ${language}.`);
  await highlighter.loadLanguage({ ...grammar, embeddedLangs: [] });
  return grammar.name;
}

/** After it, the rest of a line stays plain. The first line of a language compiles its patterns, which takes slow machines long. */
const maxLineMs = 5_000;

/** The tokens of a text by line. */
export async function tokensOf(text: string, language: CodeLanguage): Promise<Token[][]> {
  const loaded = loading.get(language) ?? load(language);
  loading.set(language, loaded);
  const lang = await loaded;
  // PHP without its tag would be HTML.
  const isBare = language === "php" && !text.startsWith("<?php");
  const options = {
    lang,
    theme: "variables",
    tokenizeTimeLimit: maxLineMs,
    ...(isBare && { grammarContextCode: "<?php\n" }),
  };
  return codeToTokensBase(highlighter, text, options).map((line) =>
    line.map(({ content, color }) => ({ content, color })),
  );
}
