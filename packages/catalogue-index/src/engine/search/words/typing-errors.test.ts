import fc from "fast-check";
import { expect, test } from "vitest";
import { editsWithin, unitsOf } from "./typing-errors.ts";

const word = fc.string({ unit: fc.constantFrom(..."abcж"), maxLength: 8 });

test("edits between two words equal those of the plain algorithm, up to the maximum that counts", () => {
  fc.assert(
    fc.property(word, word, word, fc.integer({ min: 0, max: 2 }), (a, b, before, maxEdits) => {
      const edits = plainDistance(a, b);
      const units = unitsOf(before + b + before);
      const start = before.length;
      expect(editsWithin(unitsOf(a), units, start, start + b.length, maxEdits)).toBe(edits <= maxEdits ? edits : -1);
    }),
    { numRuns: 3_000, seed: 2026 },
  );
});

test("edits between longer words equal those of the plain algorithm, too", () => {
  const edits = fc.array(fc.tuple(fc.nat(20), fc.constantFrom("add", "omit", "change", "swap")), { maxLength: 3 });
  const longer = fc.string({ unit: fc.constantFrom(..."abc"), minLength: 6, maxLength: 14 });
  fc.assert(
    fc.property(longer, edits, (a, applied) => {
      let b = a;
      for (const [place, edit] of applied) {
        const index = place % Math.max(1, b.length);
        const [before, first = "", after] = [b.slice(0, index), b[index], b.slice(index + 1)];
        if (edit === "add") b = `${before}c${first}${after}`;
        else if (edit === "omit") b = before + after;
        else if (edit === "change") b = `${before}b${after}`;
        else b = before + after.slice(0, 1) + first + after.slice(1);
      }
      const distance = plainDistance(a, b);
      expect(editsWithin(unitsOf(a), unitsOf(b), 0, b.length, 2)).toBe(distance <= 2 ? distance : -1);
    }),
    { numRuns: 3_000, seed: 2026 },
  );
});

/** Optimal string alignment. */
function plainDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, index) => [index, ...Array(b.length).fill(0)]) as number[][];
  const cell = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  rows[0] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      (rows[i] as number[])[j] = Math.min(
        cell(i - 1, j) + 1,
        cell(i, j - 1) + 1,
        cell(i - 1, j - 1) + same,
        isSwap ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  return cell(a.length, b.length);
}
