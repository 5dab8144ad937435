import { expect, test } from "vitest";
import { reasonShares } from "./similarity-factors.ts";

test("equal beats have full shares; 4 % of tempo or a fifth between the keys halves a share", () => {
  const equal = { bpm_difference_percent: 0, key_relation: "same", same_genre: true } as const;
  expect(reasonShares(equal)).toEqual({ tempo: 1, key: 1, genre: 1 });
  const near = reasonShares({ bpm_difference_percent: 4, key_relation: "adjacent", same_genre: false });
  expect(near.tempo).toBeCloseTo(0.5);
  expect(near).toMatchObject({ key: 0.5, genre: 0 });
});
