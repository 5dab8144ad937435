import { expect, test } from "vitest";
import { IndexedTexts } from "./indexed-texts.ts";

const rowOf = (texts: IndexedTexts, text: string) => {
  const row = texts.rowOf({ kind: "word", text }, false);
  return row && Array.from(row);
};

test("the members of a word are ascending, also after earlier texts changed and were merged", () => {
  const texts = new IndexedTexts();
  for (const member of [5, 1, 9, 3]) texts.set(member, "night");
  texts.merge();
  texts.set(4, "night drive");
  texts.set(1, "drive");
  texts.set(0, "night");
  texts.merge();
  expect(rowOf(texts, "night")).toEqual([0, 3, 4, 5, 9]);
  expect(rowOf(texts, "drive")).toEqual([1, 4]);
  expect(rowOf(texts, "absent")).toEqual([]);
});

test("a word with changed members has no row until the next merge; other words have one", () => {
  const texts = new IndexedTexts();
  texts.set(1, "night");
  texts.set(2, "night drive");
  texts.set(3, "sun");
  texts.merge();
  texts.set(4, "drive");
  texts.remove(1);
  expect([rowOf(texts, "night"), rowOf(texts, "drive"), rowOf(texts, "sun")]).toEqual([null, null, [3]]);
  texts.merge();
  expect([rowOf(texts, "night"), rowOf(texts, "drive")]).toEqual([[2], [2, 4]]);
});
