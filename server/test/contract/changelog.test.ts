import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changelog } from "../../src/resources/changelog/entries.ts";
import { eventTypes } from "../../src/resources/webhooks/event-types.ts";

// A new operation or event type fails here until the changelog has an entry for it
// (server/src/resources/changelog/entries.ts).

const root = join(import.meta.dirname, "../../..");
const openapi = JSON.parse(await readFile(join(root, "contract/openapi.json"), "utf8")) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};
const operations = Object.values(openapi.paths)
  .flatMap((path) => Object.values(path))
  .flatMap(({ operationId }) => operationId ?? []);

/** The operations or events of all entries of kind `added`. */
const added = (field: "operations" | "events") =>
  changelog.filter(({ kind }) => kind === "added").flatMap((entry) => entry[field]);

test("the entries of kind `added` name each operation and each event type once", () => {
  expect(operations.length).toBeGreaterThan(40);
  expect(added("operations").toSorted()).toEqual(operations.toSorted());
  expect(added("events").toSorted()).toEqual([...eventTypes].sort());
});

test("an entry changes only what an earlier entry added, or an entry of the same day below it", () => {
  const namesSoFar = { operations: new Set<string>(), events: new Set<string>() };
  for (const entry of changelog.toReversed())
    for (const field of ["operations", "events"] as const)
      for (const name of entry[field]) {
        if (entry.kind === "added") namesSoFar[field].add(name);
        expect(namesSoFar[field], `${entry.id}: ${name}`).toContain(name);
      }
});

test("entries have unique ids, real dates, a text, and the newest comes first", () => {
  const ids = changelog.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, date, title, text } of changelog) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date);
    expect(title, id).not.toMatch(/\.$/);
    expect(text, id).toMatch(/[.)]$/);
  }
  const dates = changelog.map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted().reverse());
});

test("links of entries lead to documents", async () => {
  const files = await Array.fromAsync(glob("docs/**/*.md", { cwd: root }));
  const pages = new Set(files.map((file) => `/portal/${file.replace(/(\/README)?\.md$/, "")}`));
  const links = changelog.flatMap(({ text }) => [...text.matchAll(/\]\(([^)#]*)/g)].map(([, path = ""]) => path));
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((path) => !pages.has(path))).toEqual([]);
});
