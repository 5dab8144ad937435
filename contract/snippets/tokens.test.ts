import { expect, test } from "vitest";
import type { Call } from "./call.ts";
import { type Language, languageLabels } from "./language.ts";
import { snippetFor } from "./snippets.ts";
import { type CodeLanguage, codeLanguage, tokensOf } from "./tokens.ts";

const call: Call = { operationId: "listBeats", query: { genre: "lo-fi", limit: 3 } };
const connection = { baseUrl: "https://localhost:8443/v1", keyVariable: "BEATMARKET_API_KEY", caFile: "/ca.pem" };
const kindsOf = (code: string, language: CodeLanguage) =>
  tokensOf(code, language)
    .filter(({ kind }) => kind !== null)
    .map(({ text, kind }) => [text, kind]);

test.each(Object.keys(languageLabels) as Language[])(
  "the tokens of a program in %s contain its whole text, and are of several kinds",
  (language) => {
    const code = snippetFor(language, call, connection);
    const tokens = tokensOf(code, codeLanguage(language));
    expect(tokens.map(({ text }) => text).join("")).toBe(code);
    expect(new Set(tokens.map(({ kind }) => kind)).size).toBeGreaterThan(2);
  },
);

test("JSON has tokens for names, strings, numbers and words", () => {
  expect(kindsOf('{"title": "Night \\"x\\"", "bpm": -82.5, "sold": true}', "json")).toEqual([
    ['"title"', "name"],
    ['"Night \\"x\\""', "string"],
    ['"bpm"', "name"],
    ["-82.5", "number"],
    ['"sold"', "name"],
    ["true", "keyword"],
  ]);
});

test.each<[CodeLanguage, string, [string, string][]]>([
  [
    "shell",
    'curl https://a.test/#b "$KEY" # why',
    [
      ["curl", "keyword"],
      ['"$KEY"', "string"],
      ["# why", "comment"],
    ],
  ],
  ["shell", "-d '{\n  \"a\": 1\n}'", [["'{\n  \"a\": 1\n}'", "string"]]],
  [
    "php",
    "$beat = 'a'; // why",
    [
      ["$beat", "variable"],
      ["'a'", "string"],
      ["// why", "comment"],
    ],
  ],
  [
    "python",
    "for beat in x:  # a\n",
    [
      ["for", "keyword"],
      ["in", "keyword"],
      ["# a", "comment"],
    ],
  ],
  [
    "ruby",
    'puts "#{beat}" if @x',
    [
      ["puts", "keyword"],
      ['"#{beat}"', "string"],
      ["if", "keyword"],
      ["@x", "variable"],
    ],
  ],
  [
    "javascript",
    "await f('a\\'b', 3)",
    [
      ["await", "keyword"],
      ["'a\\'b'", "string"],
      ["3", "number"],
    ],
  ],
])("code in %s has tokens of the right kinds: %s", (language, code, kinds) => {
  expect(kindsOf(code, language)).toEqual(kinds);
});
