import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeCatalogue } from "../write-catalogue.ts";

const header =
  "source,source_row,source_id,title,artist,genre,tempo,key,mode,duration,duration_unit,popularity,release_date,play_count";
const titles = [
  "Night Drive",
  "Paper Planes Again",
  "Ночной город",
  "Голубая луна",
  '"Rain, ""again"""',
  "Slow Motion Love",
];
const importableRows = titles.map(
  (title, n) => `shop,${n},id-${n},${title},Artist ${n},Rock,${100 + n},${n},1,200000,ms,50,2010,`,
);
const rejectedRows = [
  "shop,90,a,No artist,NA,Rock,100,1,1,1,ms,1,2010,",
  "shop,91,b,No tempo,Ana,Rock,0,1,1,1,ms,1,2010,",
];

let folder: string;
let realFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-catalogue-"));
  realFile = join(folder, "real.csv.gz");
  await writeFile(realFile, gzipSync([header, ...importableRows, ...rejectedRows].join("\n")));
});
afterAll(() => rm(folder, { recursive: true }));

async function generatedCsv(rows: number): Promise<string> {
  const file = join(folder, "generated.csv");
  await writeCatalogue(file, { source: { realFile }, rows }, () => {});
  return readFile(file, "utf8");
}

const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true });

test("the same real rows always become the same catalogue", async () => {
  expect(await generatedCsv(50)).toBe(await generatedCsv(50));
});

test.each([1, 4, 6, 7, 50])("a catalogue of %i rows has exactly as many, each with a different id", async (count) => {
  const rows = rowsOf(await generatedCsv(count));
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ source_id }) => source_id)).size).toBe(count);
});

test("a catalogue begins with the real titles, without those of rows that an importer would reject", async () => {
  const titlesOf = (rows: Record<string, string>[]) => rows.map(({ title }) => title);
  expect(titlesOf(rowsOf(await generatedCsv(6)))).toEqual([
    "Night Drive",
    "Paper Planes Again",
    "Ночной город",
    "Голубая луна",
    'Rain, "again"',
    "Slow Motion Love",
  ]);
});

test("the rows of a small catalogue are distributed evenly over the real rows", async () => {
  expect(rowsOf(await generatedCsv(3)).map(({ artist }) => artist)).toEqual(["Artist 1", "Artist 3", "Artist 5"]);
});

test("later rounds vary titles, tempos, prices and dates", async () => {
  const rows = rowsOf(await generatedCsv(60));
  for (const column of ["title", "tempo", "price", "release_date"])
    expect(new Set(rows.slice(6).map((row) => row[column])).size, column).toBeGreaterThan(25);
});

test("titles of different scripts are never mixed", async () => {
  const scripts = [/\p{Script=Cyrillic}/u, /\p{Script=Latin}/u];
  for (const { title = "" } of rowsOf(await generatedCsv(60)))
    expect(
      scripts.filter((script) => script.test(title)),
      title,
    ).toHaveLength(1);
});
