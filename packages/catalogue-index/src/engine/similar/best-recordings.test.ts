import fc from "fast-check";
import { expect, test } from "vitest";
import { BestRecordings, type Candidate, isCopy } from "./best-recordings.ts";

const candidates = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 1_000 }),
    score: fc.integer({ min: 0, max: 30 }),
    title: fc.constantFrom(1, 1, 2),
    producer: fc.integer({ min: 1, max: 6 }),
    tempo: fc.constantFrom(120, 121),
    durationSeconds: fc.integer({ min: 1, max: 4 }),
  }),
  { selector: ({ id }) => id, maxLength: 80, size: "max" },
);

test("in whatever order candidates are added, the best are kept, without copies of a better one", () => {
  fc.assert(
    fc.property(candidates, fc.integer({ min: 1, max: 6 }), (all, limit) => {
      const best = new BestRecordings(limit);
      for (const candidate of all) best.add({ slot: candidate.id, ...candidate });
      const expected: Candidate[] = [];
      for (const candidate of all.toSorted((a, b) => b.score - a.score || a.id - b.id))
        if (expected.length < limit && !expected.some((better) => isCopy(better, candidate)))
          expected.push({ slot: candidate.id, ...candidate });
      expect(best.best().map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    }),
    { seed: 5, numRuns: 1_000 },
  );
});
