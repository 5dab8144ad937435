import { expect, test } from "vitest";
import { demoGenres } from "../../../demo/genres.ts";
import { inOctaveOf, tempoRange } from "./tempo-ranges.ts";

test.each(demoGenres.map(({ name, tempo }) => [name, ...tempo] as const))(
  "%s: from the half and the double one gets back to each of its tempos, %i to %i",
  (name, slowest, fastest) => {
    const range = tempoRange(name);
    if (range === null) throw new Error(`${name} has no range.`);
    for (let tempo = slowest; tempo <= fastest; tempo++) {
      expect([tempo / 2, tempo, tempo * 2].map((octave) => inOctaveOf(range, octave))).toEqual([tempo, tempo, tempo]);
    }
  },
);

test("a genre is known in any spelling; a tempo that fits in no octave stays", () => {
  expect(tempoRange("drum and bass")).toEqual(tempoRange("Drum & Bass"));
  expect(tempoRange("HIP-HOP")).toEqual(tempoRange("Hip Hop"));
  expect(tempoRange("Polka")).toBeNull();
  expect(tempoRange("toString")).toBeNull();
  expect(inOctaveOf([120, 130], 100)).toBe(100);
});
