import { expect, test } from "vitest";
import { describeCatalogue } from "../describe.ts";
import type { Row } from "../row.ts";
import { seededRows } from "./seeded-rows.ts";

const count = 20_000;
const rows = Array.from(seededRows(count, 1));

/** Values measured on 20,000 random tracks of the real data sets, and how far the seeded rows may differ from them. */
const real: Record<string, [value: number, tolerance: number]> = {
  "share of the word of rank 1": [0.035, 0.005],
  "share of the word of rank 10": [0.0092, 0.0015],
  "share of the word of rank 100": [0.0011, 0.0002],
  "share of the word of rank 1,000": [0.00013, 0.00003],
  "words of a title, mean": [3.36, 0.1],
  "words of a title, percentile 95": [8, 1],
  "tempo, percentile 5": [77.9, 2],
  "tempo, percentile 50": [120, 2],
  "tempo, percentile 95": [174, 2],
  "share of tempos from 119.5 to 120.5": [0.03, 0.005],
  "share of rows without a genre": [0.582, 0.02],
  "share of Rock": [0.0857, 0.01],
  "producers for each beat": [0.5, 0.05],
  "share with popularity 0": [0.205, 0.02],
  "popularity, percentile 50": [39, 2],
  "popularity, percentile 99": [79, 2],
};

test("rows depend only on the seed, and a smaller catalogue is a prefix of a larger one", () => {
  const first = Array.from(seededRows(100, 1));
  expect(first).toEqual(rows.slice(0, 100));
  expect(Array.from(seededRows(100, 2))).not.toEqual(first);
});

test("an import accepts every row: titles, producers and tempos are present, ids are unique", () => {
  expect(new Set(rows.map(({ source_id }) => source_id)).size).toBe(count);
  const isComplete = ({ title, artist, tempo }: Row) => title !== "" && artist !== "" && Number(tempo) > 0;
  expect(rows.every(isComplete)).toBe(true);
});

test("words, titles, tempos, genres, producers and popularity are distributed as in real catalogues", async () => {
  const figures = new Map((await describeCatalogue(rows)).map(({ name, value }) => [name, value]));
  for (const [name, [value, tolerance]] of Object.entries(real)) {
    expect(figures.get(name), name).toBeGreaterThan(value - tolerance);
    expect(figures.get(name), name).toBeLessThan(value + tolerance);
  }
});
