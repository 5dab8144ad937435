import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFile(join(root, path), "utf8");

test("docs/operating.md says for every table what limits its age and its size", async () => {
  const schema = await read("database/schema.sql");
  const tables = [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)].map(([, table]) => table);
  const section = /^## What grows, and what bounds it\n(.*?)^## /ms.exec(await read("docs/operating.md"))?.[1] ?? "";
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const listedTables = rows.flatMap(([, names = ""]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listedTables.sort()).toEqual([...tables, "schema_migrations"].sort());
  expect(rows.filter(([, , age, size]) => age === "" || size === "")).toEqual([]);
});
