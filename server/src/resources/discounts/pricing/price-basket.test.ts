import { type LicenseType, licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Effect, Facts, PricedItem, Rule } from "../discount.ts";
import { reducibleCents } from "./assign.ts";
import { priceBasket } from "./price-basket.ts";

const facts: Facts = { nowMs: 1_000, currency: "USD", code: null, uses: {}, paid: [] };
const rule = (id: number, effect: Effect, fields: Partial<Rule> = {}): Rule => ({
  id,
  producerId: 1,
  name: `Rule ${id}`,
  code: null,
  effect,
  fromMs: null,
  untilMs: null,
  isEnded: false,
  maxUses: null,
  maxUsesPerBuyer: null,
  beatIds: null,
  licenseTypes: null,
  ...fields,
});
const item = (beatId: number, priceCents: number, licenseType: LicenseType = "basic"): PricedItem => ({
  beatId,
  producerId: 1,
  licenseType,
  priceCents,
});
const pack = (size: number, paid: number): Effect => ({ kind: "pack", size, paid });
const percent = (value: number): Effect => ({ kind: "percent", percent: value });
const discounts = (items: PricedItem[], rules: Rule[], otherFacts: Partial<Facts> = {}) =>
  priceBasket(items, rules, { ...facts, ...otherFacts }).items.map(({ discountCents }) => discountCents);

describe("the reduction by a discount", () => {
  test("of a pack of 3 for 2 is the cheapest price, divided in proportion to the prices", () => {
    expect(discounts([item(1, 3000), item(2, 2000), item(3, 1000)], [rule(1, pack(3, 2))])).toEqual([500, 333, 167]);
  });

  test("by a percentage is rounded half up for each license", () => {
    expect(discounts([item(1, 2990), item(2, 50)], [rule(1, percent(15))])).toEqual([449, 8]);
  });

  test("by an amount applies once, and is divided", () => {
    const amount = rule(1, { kind: "amount", amountCents: 1000 });
    expect(discounts([item(1, 2000), item(2, 1000)], [amount])).toEqual([667, 333]);
    expect(discounts([item(1, 300)], [amount])).toEqual([300]);
  });

  test("by ownership is the amount paid for smaller licenses of the same beat", () => {
    const paid = (["basic", "premium", "exclusive"] as const).map((licenseType) => ({
      beatId: 1,
      licenseType,
      cents: 1500,
    }));
    expect(
      discounts([item(1, 9000, "unlimited"), item(2, 9000, "unlimited")], [rule(1, { kind: "ownership" })], { paid }),
    ).toEqual([3000, 0]);
  });

  test("leaves one cent of an exclusive license", () => {
    expect(discounts([item(1, 5000, "exclusive"), item(2, 5000)], [rule(1, percent(100))])).toEqual([4999, 5000]);
  });
});

describe("the lowest total", () => {
  test("leaves a license out of a pack if another discount is better", () => {
    const rules = [rule(1, pack(2, 1)), rule(2, percent(50), { beatIds: [1] })];
    expect(discounts([item(1, 9000), item(2, 1000), item(3, 1000)], rules)).toEqual([4500, 500, 500]);
  });

  test("does not use a code without a larger reduction", () => {
    const rules = [rule(1, percent(20), { code: "SAME" }), rule(2, percent(20))];
    const quote = priceBasket([item(1, 1000)], rules, { ...facts, code: "SAME" });
    expect(quote.rules.map(({ applied }) => applied)).toEqual([false, true]);
    expect([quote.codeProblem, quote.totalCents]).toEqual([null, 800]);
  });
});

test.each<[fields: Partial<Rule>, otherFacts: Partial<Facts>, reason: string]>([
  [{ isEnded: true }, {}, "Its producer has ended it."],
  [{ fromMs: 60_000 }, {}, "It begins on 1970-01-01 00:01 UTC."],
  [{ untilMs: 1_000 }, {}, "It ended on 1970-01-01 00:00 UTC."],
  [{ maxUses: 2 }, { uses: { 1: { total: 2, byBuyer: 0 } } }, "It is used up: it was for 2 purchases."],
  [
    { maxUsesPerBuyer: 1 },
    { uses: { 1: { total: 2, byBuyer: 1 } } },
    "You have used it once, which is all that one buyer may.",
  ],
  [
    { maxUsesPerBuyer: 1 },
    { uses: { 1: { total: 2, byBuyer: null } } },
    "Each buyer may use it a limited number of times: say your e-mail address.",
  ],
  [{ producerId: 2 }, {}, "It belongs to a producer of whom nothing is in the basket."],
  [{ beatIds: [7] }, {}, "It is for other beats than those in the basket."],
  [
    { licenseTypes: ["premium", "exclusive"] },
    {},
    "It is for premium or exclusive licenses, and none of its beats is in the basket with one.",
  ],
  [{ effect: pack(3, 2) }, {}, "It needs 3 licenses, and the basket has 1 that it is for."],
  [{ effect: { kind: "ownership" } }, {}, "You have paid for no smaller license of these beats."],
  [{ effect: { kind: "ownership" } }, { paid: null }, "It needs to know what you have bought: sign in."],
])("a code that cannot be used has a reason: %j", (fields, otherFacts, reason) => {
  const quote = priceBasket([item(1, 1000)], [rule(1, percent(10), { code: "SPRING", ...fields })], {
    ...facts,
    code: "SPRING",
    ...otherFacts,
  });
  expect([quote.codeProblem, quote.rules[0]?.reason, quote.totalCents]).toEqual([reason, reason, 1000]);
});

test("an unknown code has a reason", () => {
  const quote = priceBasket([item(1, 1000)], [], { ...facts, code: "NONE" });
  expect(quote.codeProblem).toBe("There is no discount with this code.");
  expect(quote.rules).toMatchObject([{ rule: null, code: "NONE", applied: false }]);
});

const effects = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map(percent),
  fc.integer({ min: 1, max: 30_000 }).map((amountCents): Effect => ({ kind: "amount", amountCents })),
  fc
    .integer({ min: 2, max: 10 })
    .chain((size) => fc.integer({ min: 1, max: size - 1 }).map((paid) => pack(size, paid))),
  fc.constant<Effect>({ kind: "ownership" }),
);
const baskets = fc.record({
  items: fc
    .array(
      fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(...licenseTypes), fc.integer({ min: 1, max: 2 })),
      {
        maxLength: 50,
      },
    )
    .map((all) =>
      all.map(([priceCents, licenseType, producerId], index) => ({
        beatId: index + 1,
        producerId,
        licenseType,
        priceCents,
      })),
    ),
  rules: fc
    .array(fc.tuple(effects, fc.integer({ min: 1, max: 2 })), { maxLength: 4 })
    .map((all) => all.map(([effect, producerId], index) => rule(index + 1, effect, { producerId }))),
  paid: fc.array(
    fc.record({
      beatId: fc.integer({ min: 1, max: 50 }),
      licenseType: fc.constantFrom(...licenseTypes),
      cents: fc.integer({ min: 0, max: 9_000 }),
    }),
  ),
});

test("any basket has consistent sums, no reduction above the reducible amount, the same prices in any order of items and rules, and no higher total because of a further rule", () => {
  fc.assert(
    fc.property(baskets, ({ items, rules, paid }) => {
      const quote = priceBasket(items, rules, { ...facts, paid });
      for (const one of quote.items) {
        expect(one.discountCents).toBeGreaterThanOrEqual(0);
        expect(one.discountCents).toBeLessThanOrEqual(reducibleCents(one));
        expect(one.amountCents).toBe(one.priceCents - one.discountCents);
      }
      const prices = items.reduce((sum, { priceCents }) => sum + priceCents, 0);
      const reductions = quote.rules.reduce((sum, { discountCents }) => sum + discountCents, 0);
      expect(quote.totalCents).toBe(prices - reductions);
      const reversedQuote = priceBasket(items.toReversed(), rules.toReversed(), { ...facts, paid });
      expect(reversedQuote.items.toReversed()).toEqual(quote.items);
      expect(reversedQuote.rules).toEqual(quote.rules);
      // An additional rule never raises the total.
      expect(priceBasket(items, rules.slice(1), { ...facts, paid }).totalCents).toBeGreaterThanOrEqual(
        quote.totalCents,
      );
    }),
    { numRuns: 200 },
  );
});
