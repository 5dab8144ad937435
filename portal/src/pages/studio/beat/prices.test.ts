import { expect, test } from "vitest";
import { derivedPrice } from "./prices.ts";

const rule = { premium_percent: 200, unlimited_percent: 500, exclusive_percent: 2000, ending_cents: 99 };

test.each([
  ["premium", 29.9, 59.99],
  ["unlimited", 29.9, 149.99],
  ["exclusive", 29.9, 598.99],
  ["premium", 0, 0],
  ["premium", 29.995, 60.99],
  ["exclusive", 0.07, 1.99],
] as const)("the derived price of a %s license for a basic price of %d is %d", (license, basic, price) => {
  expect(derivedPrice(rule, license, basic)).toBe(price);
});
