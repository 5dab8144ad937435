import { expect, test } from "vitest";
import { inOctaveOf, tempoRange } from "./tempo-ranges.ts";

test("from the half and the double of a tempo one gets back to it", () => {
  const range = tempoRange("Trap");
  if (range === null) throw new Error("Trap has no range.");
  for (const tempo of [130, 145, 160])
    expect([tempo / 2, tempo, tempo * 2].map((octave) => inOctaveOf(range, octave))).toEqual([tempo, tempo, tempo]);
});

test("a genre is known in any spelling; a tempo that fits in no octave stays", () => {
  expect(tempoRange("drum and bass")).toEqual(tempoRange("Drum & Bass"));
  expect(tempoRange("HIP-HOP")).toEqual(tempoRange("Hip Hop"));
  expect(tempoRange("Polka")).toBeNull();
  expect(tempoRange("toString")).toBeNull();
  expect(inOctaveOf([120, 130], 100)).toBe(100);
});
