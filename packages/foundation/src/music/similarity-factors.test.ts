import { expect, test } from "vitest";
import { reasonShares } from "./similarity-factors.ts";

test("a reason has all of its part where nothing differs, half at 4 % of tempo and a fifth of key, none elsewhere", () => {
  const equal = { bpm_difference_percent: 0, key_relation: "same", same_genre: true } as const;
  expect(reasonShares(equal)).toEqual({ tempo: 1, key: 1, genre: 1 });
  const near = reasonShares({ bpm_difference_percent: 4, key_relation: "adjacent", same_genre: false });
  expect(near.tempo).toBeCloseTo(0.5);
  expect(near).toMatchObject({ key: 0.5, genre: 0 });
});
