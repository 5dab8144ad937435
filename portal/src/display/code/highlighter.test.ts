import { expect, test } from "vitest";
import type { Call } from "../../../../contract/snippets/call.ts";
import { type Language, languageLabels } from "../../../../contract/snippets/language.ts";
import { snippetFor } from "../../../../contract/snippets/snippets.ts";
import { tokensOf } from "./highlighter.ts";

const call: Call = { operationId: "listBeats", query: { genre: "lo-fi", limit: 3 } };
const connection = { baseUrl: "https://localhost:8443/v1", keyVariable: "BEATMARKET_API_KEY", caFile: "/ca.pem" };

test.each(Object.keys(languageLabels) as Language[])(
  "a program in %s is told apart by colours, and stays the same text",
  async (language) => {
    const text = snippetFor(language, call, connection);
    const lines = await tokensOf(text, language === "curl" ? "shell" : language);
    expect(lines.map((line) => line.map(({ content }) => content).join("")).join("\n")).toBe(text);
    const colors = new Set(lines.flat().map(({ color }) => color));
    expect(colors).toContain("var(--shiki-token-string-expression)");
    expect(colors.size).toBeGreaterThan(2);
  },
);

test("JSON has the colours of names, strings and constants", async () => {
  const [line] = await tokensOf('{"title": "Night", "bpm": 82}', "json");
  expect(line?.map(({ content, color }) => [content.trim(), color])).toContainEqual([
    "82",
    "var(--shiki-token-constant)",
  ]);
});
