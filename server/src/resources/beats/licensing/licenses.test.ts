import fc from "fast-check";
import { expect, test } from "vitest";
import { derivedPriceCents, licensePrices, maxPriceCents, type PriceRule } from "./licenses.ts";

const rule: PriceRule = {
  baseCents: 1999,
  perPopularityPointCents: 30,
  perMinuteCents: 50,
  endingCents: 99,
  premiumPercent: 200,
  unlimitedPercent: 500,
  exclusivePercent: 2000,
};

test("a derived price grows with popularity and length and has the given ending", () => {
  expect(derivedPriceCents(rule, { popularity: 0, durationSeconds: 0 })).toBe(1999);
  // 1999 + 66 × 30 + 194 s of 50 cents a minute = 4140
  expect(derivedPriceCents(rule, { popularity: 66, durationSeconds: 194 })).toBe(4199);
  expect(derivedPriceCents({ ...rule, endingCents: 0 }, { popularity: 66, durationSeconds: 194 })).toBe(4200);
});

test("the other prices are percentages of the basic price, rounded up to the ending; the basic price stays unchanged", () => {
  expect(licensePrices(rule, 2990)).toEqual({
    price_cents: 2990,
    premium_price_cents: 5999,
    unlimited_price_cents: 14_999,
    exclusive_price_cents: 59_899,
  });
});

test("a basic price of 0 derives 0 for the other licenses", () => {
  expect(licensePrices(rule, 0)).toEqual({
    price_cents: 0,
    premium_price_cents: 0,
    unlimited_price_cents: 0,
    exclusive_price_cents: 0,
  });
});

test("if the basic price is above 0, no other price is rounded to 0", () => {
  const small = { ...rule, endingCents: 0, premiumPercent: 10, unlimitedPercent: 1, exclusivePercent: 50 };
  for (const cents of [1, 2, 9])
    expect(Object.values(licensePrices(small, cents) ?? {})).toEqual([cents, 100, 100, 100]);
});

test("prices that the database cannot store give null", () => {
  expect(licensePrices(rule, maxPriceCents)).toBeNull();
});

test("prices are whole cents, and a derived basic price above 0 has the given ending, for any numbers", () => {
  const amount = fc.integer({ min: 0, max: 100_000 });
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 99 }), (cents, points, ending) => {
      const randomRule = { ...rule, baseCents: cents, endingCents: ending };
      const price = derivedPriceCents(randomRule, { popularity: points, durationSeconds: cents });
      expect(Number.isInteger(price)).toBe(true);
      if (price > 0) expect(price % 100).toBe(ending);
      for (const part of Object.values(licensePrices(randomRule, price) ?? {}))
        expect(Number.isInteger(part)).toBe(true);
    }),
  );
});
