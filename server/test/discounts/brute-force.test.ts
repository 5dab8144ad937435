import { expect, test } from "vitest";
import { compareWithBruteForce } from "./brute-force.ts";

test("a Python program that tries all assignments agrees on 2,000 random baskets, to the cent", async () => {
  const { baskets, discounted, differences } = await compareWithBruteForce(2_000, 20_261_127);
  expect(differences).toEqual([]);
  expect(baskets).toBe(2_000);
  expect(discounted).toBeGreaterThan(500);
});
