import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowedEdits, editDistance, typedKeys, wordKeys } from "./typing-errors.ts";

describe("editDistance", () => {
  test.each([
    ["beyonce", "beyonce", 0],
    ["beyonse", "beyonce", 1],
    ["coldpay", "coldplay", 1],
    ["colldplay", "coldplay", 1],
    ["codlplay", "coldplay", 1],
    ["rdiaohead", "radiohead", 2],
    ["", "abc", 3],
    // Optimal string alignment: no letter is edited twice.
    ["ca", "abc", 3],
  ])("from %s to %s is %i", (a, b, edits) => {
    expect(editDistance(a, b)).toBe(edits);
    expect(editDistance(b, a)).toBe(edits);
  });
});

test.each([
  [3, 3, 0],
  [3, 4, 1],
  [4, 3, 1],
  [7, 7, 1],
  [9, 7, 1],
  [6, 8, 2],
  [10, 8, 2],
])("%i letters typed for a word of %i may hold %i edits", (typed, word, edits) =>
  expect(allowedEdits(typed, word)).toBe(edits),
);

const letter = fc.constantFrom(...Array.from("abcdeéжあ"));
const word = fc.array(letter, { minLength: 3, maxLength: 14 }).map((letters) => letters.join(""));
const edit = fc.record({
  kind: fc.constantFrom("add", "leave out", "change", "swap"),
  place: fc.nat(),
  letter,
});

function edited(text: string, { kind, place, letter }: { kind: string; place: number; letter: string }): string {
  const at = place % text.length;
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  if (kind === "add") return before + letter + text.slice(at);
  if (kind === "leave out") return before + after;
  if (kind === "change") return before + letter + after;
  return before + after.slice(0, 1) + text.slice(at, at + 1) + after.slice(1);
}

test("whatever lies within the allowed edits of a word shares a key with it", () => {
  fc.assert(
    fc.property(word, fc.array(edit, { minLength: 1, maxLength: 2 }), (meant, edits) => {
      const typed = edits.reduce(edited, meant);
      fc.pre(typed.length > 0 && editDistance(typed, meant) <= allowedEdits(typed.length, meant.length));
      const keys = new Set(wordKeys(meant));
      expect(typedKeys(typed).some((key) => keys.has(key))).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

test("a word has few keys, however long it is", () => {
  expect(wordKeys("x".repeat(40)).length).toBeLessThanOrEqual(29);
  expect(wordKeys("abcdefghijklmnop")).toHaveLength(29);
});
