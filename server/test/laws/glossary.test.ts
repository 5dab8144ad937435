import { join } from "node:path";
import { expect, test } from "vitest";
import { writtenFiles } from "../harness/documents/documents.ts";

const files = await writtenFiles(join(import.meta.dirname, "../../.."));
const isSource = ({ path }: { path: string }) =>
  /\.(ts|tsx|mjs|sql|py|php|rb)$/.test(path) && !/\.test\.ts$/.test(path);

/** Normalizes `CatalogueVersion`, `catalogue_version` and "catalogue version" to one term. */
const flatten = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase();

const source = ` ${flatten(
  files
    .filter(isSource)
    .map(({ text }) => text)
    .join("\n"),
)} `;

/** The terms of a glossary that occur in the source neither as they are nor in the plural. */
function strangers(glossary: string, source: string): string[] {
  const rows = [...glossary.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = ""]) => cell);
  return rows
    .filter((cell) => !/^(term|-+)$/.test(cell))
    .flatMap((cell) => cell.split(", "))
    .filter((term) => !new RegExp(` ${flatten(term).trim()}(s|es)? `).test(source));
}

test("every term of the glossary occurs in the source", () => {
  const glossary = files.find(({ path }) => path === "docs/glossary.md")?.text ?? "";
  expect(glossary.match(/^\| /gm)?.length).toBeGreaterThan(50);
  expect(strangers(glossary, source)).toEqual([]);
});

test("a term in another spelling is detected in the source, and an outdated term is not", () => {
  const glossary = "| term | meaning |\n|---|---|\n| seek token, seek tokens | … |\n| bulkhead | … |\n";
  expect(strangers(glossary, flatten(" const seekToken = 1; "))).toEqual(["seek tokens", "bulkhead"]);
});
