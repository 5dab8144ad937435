import type { LanguageFn, Emitter as Listener } from "highlight.js";
import highlighter from "highlight.js/lib/core";
import { loadChunk } from "../../api/load-chunk.ts";
import type { CodeLanguage, Token } from "./token.ts";

// A chunk of its own, behind `highlight`; each grammar is one, too. Shiki, which colours the guides while Vite builds, would be
// four times as much to load.

const grammars: Record<CodeLanguage, () => Promise<{ default: LanguageFn }>> = {
  shell: () => import("highlight.js/lib/languages/bash"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  python: () => import("highlight.js/lib/languages/python"),
  php: () => import("highlight.js/lib/languages/php"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  json: () => import("highlight.js/lib/languages/json"),
};

/** The theme's colours, `--shiki-token-…`, by what highlight.js calls a piece of code. Others have the colour of text. */
const colors: Readonly<Record<string, string>> = {
  keyword: "keyword",
  built_in: "function",
  "title.function": "function",
  "title.class": "function",
  attr: "function",
  string: "string-expression",
  regexp: "string-expression",
  number: "constant",
  literal: "constant",
  symbol: "constant",
  variable: "parameter",
  "variable.constant": "constant",
  params: "parameter",
  comment: "comment",
  meta: "comment",
};

function colorOf(scope: string | undefined): string | undefined {
  const color = scope === undefined ? undefined : (colors[scope] ?? colors[scope.replace(/\..*/, "")]);
  return color && `var(--shiki-token-${color})`;
}

/** What highlight.js finds in a text, as tokens. */
class Tokens implements Listener {
  readonly lines: Token[][] = [[]];
  readonly #colors: (string | undefined)[] = [];

  openNode(scope: string): void {
    this.#colors.push(colorOf(scope) ?? this.#colors.at(-1));
  }

  closeNode(): void {
    this.#colors.pop();
  }

  // highlight.js calls both pairs.
  startScope(scope: string): void {
    this.openNode(scope);
  }

  endScope(): void {
    this.closeNode();
  }

  addText(text: string): void {
    for (const [index, content] of text.split("\n").entries()) {
      if (index > 0) this.lines.push([]);
      if (content !== "") this.lines.at(-1)?.push({ content, color: this.#colors.at(-1) });
    }
  }

  __addSublanguage(other: Tokens): void {
    const [first = [], ...rest] = other.lines;
    this.lines.at(-1)?.push(...first);
    this.lines.push(...rest);
  }

  finalize(): void {}

  toHTML(): string {
    return "";
  }
}

highlighter.configure({ __emitter: Tokens });
const loading = new Map<CodeLanguage, Promise<void>>();

async function load(language: CodeLanguage): Promise<void> {
  const { default: grammar } = await loadChunk(grammars[language]);
  highlighter.registerLanguage(language, grammar);
}

/** The tokens of a text by line. */
export async function tokensOf(text: string, language: CodeLanguage): Promise<Token[][]> {
  const loaded = loading.get(language) ?? load(language);
  loading.set(language, loaded);
  await loaded;
  return (highlighter.highlight(text, { language, ignoreIllegals: true })._emitter as Tokens).lines;
}
