import fc from "fast-check";
import { expect, test } from "vitest";
import { Interned } from "./interned.ts";
import { editsBetween, NearWords } from "./near-words.ts";
import { editsWithin, unitsOf } from "./typing-errors.ts";

const letter = fc.constantFrom(..."abcж");
const words = fc.array(fc.string({ unit: letter, minLength: 3, maxLength: 13 }), { minLength: 1, maxLength: 30 });
const edits = fc.array(fc.record({ at: fc.nat(13), what: fc.constantFrom("add", "omit", "change", "swap"), letter }), {
  minLength: 1,
  maxLength: 3,
});

type Edit = { at: number; what: string; letter: string };

test("all words within the allowed edits of a typed word are found, sorted by length and then alphabetically", () => {
  let matchCount = 0;
  fc.assert(
    fc.property(words, edits, fc.boolean(), (all, applied, isGenerous) => {
      const typed = applied.reduce(edited, all[0] as string);
      fc.pre(typed.length >= 3);
      const interned = new Interned();
      for (const word of all) interned.add(word);
      const nearWords = new NearWords(interned.toDictionary());
      const near = () => {
        const matches: { word: string; edits: number }[] = [];
        nearWords.forEach(typed, isGenerous, (word, needed) => matches.push({ word, edits: needed }));
        return matches;
      };
      const expected = Array.from(new Set(all))
        .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
        .flatMap((word) => {
          const maxEdits = editsBetween(typed.length, word.length, isGenerous);
          const needed = editsWithin(unitsOf(typed), unitsOf(word), 0, word.length, maxEdits);
          return needed > 0 ? [{ word, edits: needed }] : [];
        });
      matchCount += expected.length;
      expect(near()).toEqual(expected);
      // The second call reads the cache.
      expect(near()).toEqual(expected);
    }),
    { numRuns: 1_500, seed: 2026 },
  );
  expect(matchCount).toBeGreaterThan(1_000);
});

function edited(word: string, { at: place, what, letter: typed }: Edit): string {
  const index = place % Math.max(1, word.length);
  const [before, first = "", after] = [word.slice(0, index), word[index], word.slice(index + 1)];
  if (what === "add") return before + typed + first + after;
  if (what === "omit") return before + after;
  if (what === "change") return before + typed + after;
  return before + after.slice(0, 1) + first + after.slice(1);
}
