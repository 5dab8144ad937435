import { expect, test } from "vitest";
import { searchTerms } from "./search-terms.ts";

const titles = [
  "Midnight Drive",
  "Midnight Love",
  "Love Letters",
  "Summer Rain",
  "Ночной город",
  "Summer Love",
  "夜の街",
];

test("search terms are common and rare words, pairs, beginnings and other scripts from the titles", () => {
  const terms = searchTerms(titles, 3);
  expect(terms["common word"]).toEqual(["love", "midnight", "summer"]);
  expect(terms["rare word"]).toEqual(["letters"]);
  expect(terms["two words"]).toEqual(["midnight drive", "midnight love", "love letters"]);
  expect(terms.prefix).toEqual(["midn", "summ", "driv"]);
  expect(terms["another script"]).toEqual(["ночной", "город", "夜の街"]);
});

test("misspelt words are words of the titles with two letters swapped, or one of two equal letters dropped", () => {
  expect(searchTerms(titles, 5)["misspelt word"]).toEqual(["midinght", "sumer"]);
});

test("terms are unique, and at most as many as requested", () => {
  for (const terms of Object.values(searchTerms([...titles, ...titles], 2))) {
    expect(terms.length).toBeLessThanOrEqual(2);
    expect(new Set(terms).size).toBe(terms.length);
  }
});
