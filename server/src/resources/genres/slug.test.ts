import { expect, test } from "vitest";
import { genreSlug } from "./genres.ts";

test.each([
  ["Hip-Hop", "hip-hop"],
  ["hip  hop", "hip-hop"],
  ["R&B", "r-and-b"],
  ["Música Cubana", "musica-cubana"],
  ["Ελληνικά", "ελληνικα"],
  ["Йога", "иога"],
  ["C", "c"],
  ["C++", "c++"],
  ["C#", "c#"],
  ["C♯", "c#"],
  ["Pop + Rock", "pop-rock"],
  ["Drum+Bass", "drum-bass"],
  ["#1 Hits", "1-hits"],
  ["ビート", "ビート"],
  ["ﾋﾞｰﾄ", "ビート"],
  ["ヒート", "ヒート"],
  ["दिल", "दिल"],
  ["दल", "दल"],
  ["힙합", "힙합"],
])("the slug of %s is %s", (name, slug) => {
  expect(genreSlug(name)).toBe(slug.normalize("NFC"));
});

test("a name without letters has a slug of its own", () => {
  expect(genreSlug("!!!")).toMatch(/^genre-[0-9a-f]{8}$/);
  expect(genreSlug("!!!")).not.toBe(genreSlug("???"));
});

test("slugs keep the marks that distinguish letters", () => {
  const names = ["バス", "パス", "ハス", "กา", "กำ", "שׁ", "שׂ", "كَ", "كِ"];
  expect(new Set(names.map(genreSlug)).size).toBe(names.length);
});
