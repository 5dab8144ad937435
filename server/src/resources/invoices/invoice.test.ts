import fc from "fast-check";
import { expect, test } from "vitest";
import { includedTax, invoiceName, ratePercent, taxOfChange } from "./invoice.ts";

const cents = fc.integer({ min: 1, max: 2_147_483_647 });
const basisPoints = fc.integer({ min: 1, max: 10_000 });

test("net and tax are the price in exact cents, and the tax is the nearest cent to the rate's part of it", () => {
  fc.assert(
    fc.property(cents, basisPoints, (gross, rate) => {
      const tax = includedTax(gross, rate);
      expect(tax).toBeGreaterThanOrEqual(0);
      expect(tax).toBeLessThanOrEqual(gross);
      const [exact, divisor] = [BigInt(gross) * BigInt(rate), 10_000n + BigInt(rate)];
      const off = BigInt(tax) * divisor - exact;
      expect(2n * (off < 0n ? -off : off) <= divisor).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test("the taxes of refunds in any parts, sent back or not, leave the tax of what is left of the sale", () => {
  fc.assert(
    fc.property(
      cents,
      basisPoints,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      (gross, rate, parts) => {
        let left = gross;
        let taxed = includedTax(gross, rate);
        for (const part of [...parts, 0]) {
          const after = Math.floor(gross * part);
          const change = taxOfChange(left, after, { basisPoints: rate });
          expect(change).toBeLessThanOrEqual(Math.abs(after - left));
          taxed += after < left ? -change : change;
          left = after;
          expect(taxed).toBe(includedTax(left, rate));
        }
        expect(taxed).toBe(0);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a price without a tax has none", () => {
  expect(taxOfChange(1_000, 400, null)).toBe(0);
});

test("numbers and rates are written as people read them", () => {
  expect(invoiceName({ kind: "invoice", year: 2026, number: 42 })).toBe("INV-2026-000042");
  expect(invoiceName({ kind: "credit_note", year: 2026, number: 1_000_000 })).toBe("CN-2026-1000000");
  expect([1900, 550, 10_000].map(ratePercent)).toEqual(["19", "5.50", "100"]);
});
