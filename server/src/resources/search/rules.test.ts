import { expect, test } from "vitest";
import { readQuery } from "../../text/search-words.ts";
import { correctableOf, correctionsOf, lookupOf } from "./rules.ts";

test("corrections are the stored words within reach, nearest first, then those that begin alike", () => {
  const stored = ["drake", "brake", "drakes", "rake", "drako", "dragon", "lake"];
  expect(correctionsOf(["drake", "nothing"], stored)).toEqual(
    new Map([
      [
        "drake",
        [
          { word: "drakes", edits: 1 },
          { word: "drako", edits: 1 },
          { word: "brake", edits: 1 },
          { word: "rake", edits: 1 },
        ],
      ],
    ]),
  );
});

test("only words that a person may have mistyped are corrected, and not a whole pasted text", () => {
  expect(correctableOf(readQuery("love love 99 2pac 東京 🔥 & go"))).toEqual(["love"]);
  expect(correctableOf(readQuery("one two three four five six seven eight nine"))).toHaveLength(8);
});

test("what was typed is looked for as words, and as one whole title or name", () => {
  expect(lookupOf(readQuery("hip & hop"))).toMatchObject({
    found: "'hip' & 'hop':* | '=hipandhop'",
    titleIs: "'=hipandhop':A",
    titleBegins: "'=hipandhop':*A",
    titleHas: "'hip':A & 'hop':*A",
    producerIs: "'=hipandhop':B",
  });
  expect(lookupOf(readQuery("&"))).toBeUndefined();
});

test("however many corrections there are, what is looked for stays small", () => {
  const typed = readQuery("loveaa loveab loveac lovead loveae loveaf loveag loveah");
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
  const stored = letters.flatMap((first) => letters.map((second) => `love${first}${second}`));
  const lookup = lookupOf(typed, correctionsOf(correctableOf(typed), stored));
  expect(lookup?.found.length).toBeLessThan(10_000);
  expect(lookup?.titleIs.split(" | ")).toHaveLength(50);
});
