import { tempoInRange, tempoRange } from "@beatmarket/audio/analysis/tempo/tempo-ranges.ts";
import { expect, test } from "vitest";
import { demoGenres } from "./genres.ts";

test.each(demoGenres.map(({ name, tempo }) => [name, ...tempo] as const))(
  "%s: each tempo from %i to %i is recognized from its half and its double",
  (name, slowest, fastest) => {
    const range = tempoRange(name);
    if (range === null) throw new Error(`${name} has no range.`);
    for (let tempo = slowest; tempo <= fastest; tempo++) {
      expect([tempo / 2, tempo, tempo * 2].map((octave) => tempoInRange(octave, range))).toEqual([tempo, tempo, tempo]);
    }
  },
);
