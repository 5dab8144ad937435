import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openDocsIndex } from "@beatmarket/docs-search/docs-index.ts";
import { searchParts } from "@beatmarket/docs-search/search-parts.ts";
import { expect, test } from "vitest";
import { documents, pathOf } from "./contents.ts";
import { readDocuments } from "./read.ts";
import { docsIndex } from "./search-index.ts";

const list = join(import.meta.dirname, "../../server/test/search-quality/lists/docs_questions.txt");
const resultsCounted = 3;
const leastRight = 57;

/** Lines of the form "question => page | page". Each of the pages answers the question. */
const questions = (await readFile(list, "utf8"))
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [question = "", pages = ""] = line.split(" => ");
    return { question, pages: pages.split(" | ") };
  });

test("the first three results have a page that answers the question, for at least 57 of 60 questions", async () => {
  const index = openDocsIndex(JSON.parse(JSON.stringify(docsIndex(await readDocuments()))));
  const misses = questions.flatMap(({ question, pages }) => {
    const results = searchParts(index, question, resultsCounted).map(({ address }) => address.split("#")[0]);
    return pages.some((page) => results.includes(`/portal${pathOf(page)}`)) ? [] : [{ question, pages, results }];
  });
  expect(questions).toHaveLength(60);
  expect(questions.length - misses.length, JSON.stringify(misses, null, 1)).toBeGreaterThanOrEqual(leastRight);
});

test("each page in the list of questions is a document", () => {
  const unknown = questions.flatMap(({ pages }) => pages).filter((page) => !documents.includes(page));
  expect(unknown).toEqual([]);
});
