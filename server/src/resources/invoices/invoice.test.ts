import fc from "fast-check";
import { expect, test } from "vitest";
import { includedTax, invoiceName, ratePercent, taxOfChange } from "./invoice.ts";

const cents = fc.integer({ min: 1, max: 2_147_483_647 });
const basisPoints = fc.integer({ min: 1, max: 10_000 });

test("the tax is at least 0, at most the price, and rounded to the nearest cent", () => {
  fc.assert(
    fc.property(cents, basisPoints, (gross, rate) => {
      const tax = includedTax(gross, rate);
      expect(tax).toBeGreaterThanOrEqual(0);
      expect(tax).toBeLessThanOrEqual(gross);
      const exact = BigInt(gross) * BigInt(rate);
      const divisor = 10_000n + BigInt(rate);
      const difference = BigInt(tax) * divisor - exact;
      expect(2n * (difference < 0n ? -difference : difference) <= divisor).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test("after any refunds and returned refunds, the remaining tax is that of the remaining amount", () => {
  fc.assert(
    fc.property(
      cents,
      basisPoints,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      (gross, rate, parts) => {
        let remainingCents = gross;
        let remainingTax = includedTax(gross, rate);
        for (const part of [...parts, 0]) {
          const after = Math.floor(gross * part);
          const change = taxOfChange(remainingCents, after, { basisPoints: rate });
          expect(change).toBeLessThanOrEqual(Math.abs(after - remainingCents));
          remainingTax += after < remainingCents ? -change : change;
          remainingCents = after;
          expect(remainingTax).toBe(includedTax(remainingCents, rate));
        }
        expect(remainingTax).toBe(0);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("the tax is 0 without a rate", () => {
  expect(taxOfChange(1_000, 400, null)).toBe(0);
});

test("invoice numbers and rates are formatted for people", () => {
  expect(invoiceName({ kind: "invoice", year: 2026, number: 42 })).toBe("INV-2026-000042");
  expect(invoiceName({ kind: "credit_note", year: 2026, number: 1_000_000 })).toBe("CN-2026-1000000");
  expect([1900, 550, 10_000].map(ratePercent)).toEqual(["19", "5.50", "100"]);
});
