import { expect, test } from "vitest";
import { sharesOf } from "./shares.ts";

test("the cents that rounding leaves go to the largest remainders, and among equal remainders to the first", () => {
  expect(sharesOf(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(sharesOf(100, [1, 2, 3])).toEqual([17, 33, 50]);
  expect(sharesOf(5, [2990, 5990])).toEqual([2, 3]);
  expect(sharesOf(0, [7, 0])).toEqual([0, 0]);
  expect(sharesOf(2_147_483_647, [2_147_483_647, 1])).toEqual([2_147_483_646, 1]);
});

test("no share exceeds its weight if the total is at most the sum of the weights", () => {
  for (let total = 0; total <= 30; total++)
    for (const weights of [
      [10, 20],
      [1, 1, 28],
      [0, 30],
      [3, 7, 20],
    ]) {
      const shares = sharesOf(total, weights);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
      shares.forEach((share, place) => {
        expect(share).toBeLessThanOrEqual(weights[place] ?? 0);
      });
    }
});

test("weights that sum to 0 throw", () => {
  expect(() => sharesOf(1, [0, 0])).toThrow("sum to 0");
});
