import { expect, test } from "vitest";
import { tempoBounds, tempoInRange, tempoRange, tempoRanges } from "./tempo-ranges.ts";

test.each(Object.keys(tempoRanges))("the range of %s is narrower than an octave, also with the tolerance", (genre) => {
  const { least, most } = tempoBounds(genre) ?? { least: 0, most: 0 };
  expect(most).toBeLessThan(2 * least);
});

test("half and double of a tempo in the range are corrected to that tempo", () => {
  const range = tempoRange("Trap");
  if (range === null) throw new Error("Trap has no range.");
  for (const tempo of [130, 145, 160])
    expect([tempo / 2, tempo, tempo * 2].map((octave) => tempoInRange(octave, range))).toEqual([tempo, tempo, tempo]);
});

test("a genre has several spellings; other names have no range; a tempo with no octave in the range stays", () => {
  expect(tempoRange("drum and bass")).toEqual(tempoRange("Drum & Bass"));
  expect(tempoRange("HIP-HOP")).toEqual(tempoRange("Hip Hop"));
  expect(tempoRange("Polka")).toBeNull();
  expect(tempoRange("toString")).toBeNull();
  expect(tempoInRange(100, [120, 130])).toBe(100);
});
