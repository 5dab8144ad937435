import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorOf } from "../../server/test/harness/documents/documents.ts";
import { clientTitles, documents, pathOf, referencePages, sourceOf } from "../docs/contents.ts";
import { contentsOf, docsFolder, readDocuments } from "../docs/read.ts";

describe("the documents", async () => {
  const converted = await readDocuments();

  test("include each Markdown file of docs/ and docs/api/, and each library's README and reference, once", async () => {
    const folders = await Promise.all(
      ["", "api/"].map(async (folder) => [folder, await readdir(join(docsFolder, folder))] as const),
    );
    const files = folders.flatMap(([folder, names]) =>
      names.filter((name) => name.endsWith(".md")).map((name) => `${folder}${name.replace(/\.md$/, "")}`),
    );
    expect(documents.filter((name) => sourceOf(name).startsWith("docs/")).sort()).toEqual(files.sort());
    expect(documents.filter((name) => name.startsWith("clients/"))).toEqual([
      ...Object.keys(clientTitles),
      ...referencePages,
    ]);
    expect(new Set(documents.map(pathOf)).size).toBe(documents.length);
  });

  test("link only to existing headings", () => {
    const anchors = new Map(
      [...converted].map(([name, value]) => [name, new Set([value.titleId, ...value.headings.map(({ id }) => id)])]),
    );
    const links = [...converted].flatMap(([from, value]) => value.links.map((link) => ({ from, ...link })));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ name, anchor }) => anchor !== null && !anchors.get(name)?.has(anchor))).toEqual([]);
  });

  test("have a title, a summary and no scripts", () => {
    for (const { pages } of contentsOf(converted))
      for (const { name, title, summary } of pages) {
        expect(title, name).not.toBe(name);
        expect(summary, name).toMatch(/\S{2}.*[.)]$/);
      }
    for (const [name, value] of converted)
      expect(value.html, name).not.toMatch(/<script|<style|<iframe| on\w+=|href="(javascript|data):/i);
  });

  test("have anchors that follow the repository's rule for headings", () => {
    for (const [name, { headings }] of converted)
      for (const { id, text } of headings)
        expect(id.replace(/-\d+$/, ""), name).toBe(anchorOf(text).replace(/-\d+$/, ""));
  });
});
