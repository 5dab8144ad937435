import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { columnsOfFile, joinedColumns, mappedColumns, priceRule, readMapping } from "./mapping.ts";

const minimalMapping = { source: "mine", fields: { title: "t", producer: "p", tempo: "bpm" } };
const read = (mapping: unknown) => readMapping(JSON.stringify(mapping), "map.json");
const withField = (field: string, value: unknown) => ({
  ...minimalMapping,
  fields: { ...minimalMapping.fields, [field]: value },
});

test("short forms are expanded", () => {
  expect(read(withField("tempo", { column: "bpm", default: 120 }))).toEqual({
    source: { name: "mine" },
    fields: { title: { column: "t" }, producer: { column: "p" }, tempo: { column: "bpm", default: "120" } },
  });
});

test("mappedColumns lists each column of a mapping once", () => {
  const mapping = read({
    source: { column: "from" },
    fields: {
      ...minimalMapping.fields,
      genre: "g",
      tags: "g",
      key: { column: "k", mode_column: "m" },
      duration: { column: "d", unit_column: "u" },
    },
    prices: { column: "price" },
  });
  expect(mappedColumns(mapping)).toEqual({
    all: ["t", "p", "bpm", "from", "g", "k", "d", "m", "u", "price"],
    required: ["t", "p", "bpm"],
    amounts: ["price"],
    lists: ["g"],
  });
});

test("a value replaces a column, and may be a number", () => {
  const { fields } = read(withField("tempo", { value: 100 }));
  expect(fields.tempo).toEqual({ value: "100" });
  expect(mappedColumns(read(withField("tempo", { value: 100 }))).required).toEqual(["t", "p"]);
});

const artists = { file: "artists.csv", column: "artist_id", key: "id" };

test("the columns of the file include the keys of joined columns, not the joined columns", () => {
  const mapping = read({
    ...minimalMapping,
    fields: {
      ...minimalMapping.fields,
      producer: "artists.name",
      popularity: "artists.fame",
      description: "other.text",
    },
    joins: { artists },
  });
  expect(columnsOfFile(mapping)).toEqual({
    all: ["t", "artist_id", "bpm", "other.text"],
    required: ["t", "artist_id", "bpm"],
    amounts: [],
    lists: ["artist_id"],
  });
  expect(joinedColumns(mapping, "artists")).toEqual({ all: ["name", "fame"], amounts: [], lists: [] });
});

test("a mapping overrides single defaults of the price rule", () => {
  expect(priceRule(read(minimalMapping))).toMatchObject({ baseCents: 1999, premiumPercent: 200 });
  expect(priceRule(read({ ...minimalMapping, prices: { base_cents: 500, ending_cents: 0 } }))).toMatchObject({
    baseCents: 500,
    endingCents: 0,
    premiumPercent: 200,
  });
});

describe("readMapping rejects", () => {
  test.each([
    [{ ...minimalMapping, feilds: {} }, "map.json: feilds is not a setting. Did you mean fields?"],
    [withField("titel", "x"), "map.json: fields.titel is not a setting. Did you mean title?"],
    [withField("title", { colum: "x" }), "map.json: fields.title.colum is not a setting. Did you mean column?"],
    [
      withField("duration", { column: "d", units: "ms" }),
      "map.json: fields.duration.units is not a setting. Did you mean unit?",
    ],
    [
      withField("key", { column: "k", zzzzzzzz: 1 }),
      /^map.json: fields.key.zzzzzzzz is not a setting. Known are column, /,
    ],
    [{ source: "mine", fields: { title: "t", tempo: "b" } }, "map.json: fields.producer is missing."],
    [{ fields: minimalMapping.fields }, "map.json: source is missing."],
    [{ ...minimalMapping, source: {} }, /^map.json: source takes a name/],
    [withField("duration", { column: "d", unit: "hours" }), /^map.json: fields.duration.unit takes one of "ms", "s", /],
    [withField("duration", "d"), /^map.json: fields.duration takes a unit/],
    [{ ...minimalMapping, format: "xlsx" }, /^map.json: format takes one of "csv", "tsv", "jsonl"/],
    [{ ...minimalMapping, prices: { base_cents: 19.99 } }, /^map.json: prices.base_cents must be integer/],
    [{ ...minimalMapping, prices: { base_cents: -1 } }, /^map.json: prices.base_cents must be >= 0/],
    [{ ...minimalMapping, prices: { ending_cents: 100 } }, /^map.json: prices.ending_cents must be <= 99/],
    [{ ...minimalMapping, prices: { unit: "cents" } }, /^map.json: prices.unit belongs to a price column/],
    [{ ...minimalMapping, delimiter: ";;" }, /^map.json: delimiter must not have more than 1 characters/],
    [{ ...minimalMapping, null_words: "NA" }, /^map.json: null_words must be array/],
    [withField("title", 5), /^map.json: fields.title must be object/],
    [withField("tempo", {}), "map.json: fields.tempo takes a column, or a value for every row."],
    [withField("tempo", { column: "bpm", value: 1 }), "map.json: fields.tempo takes a column or a value, not both."],
    [
      withField("tempo", { value: 1, default: 2 }),
      "map.json: fields.tempo has a value for every row; default and null_words belong to a column.",
    ],
    [
      withField("external_id", { value: "x" }),
      "map.json: fields.external_id takes a column; one value would make all rows one beat.",
    ],
    [
      { ...minimalMapping, joins: { artists: { file: "a.csv", column: "x" } } },
      "map.json: joins.artists.key is missing.",
    ],
    [
      { ...minimalMapping, joins: { artists: { ...artists, on: "x" } } },
      /^map.json: joins.artists.on is not a setting. Known are file/,
    ],
    [
      { ...minimalMapping, joins: { "my artists": artists } },
      /^map.json: joins.my artists: a join's name takes letters/,
    ],
    [
      { ...minimalMapping, joins: { artists } },
      /^map.json: joins.artists is joined, and no field reads a column such as artists/,
    ],
    [
      { ...withField("producer", "artists.name"), joins: { artists: { ...artists, column: "artists.id" } } },
      "map.json: joins.artists.column takes a column of the imported file itself.",
    ],
    [[], /^map.json: it must be object/],
  ])("%j", (mapping, message) => {
    expect(() => read(mapping)).toThrow(message);
  });

  test("text that is not JSON", () => {
    expect(() => readMapping("{", "map.json")).toThrow(/^map.json is not JSON: /);
  });
});

test("the shipped mappings are well-formed", async () => {
  const folder = new URL("../../../../mappings/", import.meta.url);
  const names = await readdir(folder);
  expect(names).toContain("spotify_songs.json");
  expect(names).toContain("tracks_231k.json");
  for (const name of names.filter((file) => file.endsWith(".json")))
    readMapping(await readFile(new URL(name, folder), "utf8"), name);
});
