import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { codeToTokensBase, createShikiPrimitive, type LanguageRegistration } from "@shikijs/primitive";
import { createCssVariablesTheme } from "shiki/core";
import { expect, test } from "vitest";
import type { Language } from "../../contract/snippets/language.ts";
import { snippetFor } from "../../contract/snippets/snippets.ts";
import { slimGrammars } from "../grammars.ts";

const theme = createCssVariablesTheme({ name: "variables" });
const connection = { baseUrl: "https://localhost:8443/v1", keyVariable: "BEATMARKET_API_KEY", caFile: "/ca.pem" };
const calls = [
  { operationId: "listBeats", query: { genre: "lo-fi", limit: 3 } },
  { operationId: "createOrder", body: { beat_id: 7, payment_method: "pm_card_visa" }, idempotencyKey: "k1" },
];

const grammarIn = (source: string): LanguageRegistration =>
  JSON.parse(JSON.parse(/JSON\.parse\(("(?:[^"\\]|\\.)*")\)/.exec(source)?.[1] ?? "") as string);

function tokensOf(grammar: LanguageRegistration, text: string) {
  const langs = [{ ...grammar, embeddedLangs: [] }];
  const primitive = createShikiPrimitive({
    langs,
    themes: [theme],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return codeToTokensBase(primitive, text, { lang: grammar.name, theme: "variables", tokenizeTimeLimit: 0 });
}

test.each<[Language, string]>([
  ["curl", "shellscript"],
  ["javascript", "javascript"],
  ["python", "python"],
  ["php", "php"],
  ["ruby", "ruby"],
])("a slim grammar colours programs in %s as the whole one does", async (language, name) => {
  const path = fileURLToPath(import.meta.resolve(`@shikijs/langs/${name}`));
  const source = await readFile(path, "utf8");
  const { transform } = slimGrammars() as unknown as {
    transform: (code: string, id: string) => { code: string };
  };
  const slim = transform(source, path).code;
  if (name === "php") expect(slim.length).toBeLessThan(source.length * 0.9);
  for (const call of calls) {
    const text = snippetFor(language, call, connection);
    const tokens = tokensOf(grammarIn(slim), text);
    expect(new Set(tokens.flat().map(({ color }) => color)).size).toBeGreaterThan(2);
    expect(tokens).toEqual(tokensOf(grammarIn(source), text));
  }
});
