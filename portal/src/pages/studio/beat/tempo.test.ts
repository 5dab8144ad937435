import { expect, test } from "vitest";
import { scaledTempo } from "./tempo.ts";

test.each([
  [70, 2, 140],
  [92.55, 0.5, 46.28],
  [85.25, 2, 170.5],
  [500, 2, null],
  [1.5, 0.5, null],
] as const)("%d times %d is %s", (bpm, factor, scaled) => {
  expect(scaledTempo(bpm, factor)).toBe(scaled);
});
