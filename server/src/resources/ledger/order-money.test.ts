import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ShareTerms, saleShares, wholeBasisPoints } from "./order-money.ts";

/** Up to eight parties with random basis points that sum to the whole. */
const parties = fc.uniqueArray(fc.integer({ min: 1, max: wholeBasisPoints - 1 }), { maxLength: 7 }).chain((cuts) => {
  const bounds = [0, ...cuts.toSorted((a, b) => a - b), wholeBasisPoints];
  const parts = bounds.slice(1).map((bound, index) => bound - (bounds[index] ?? 0));
  return fc
    .uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: parts.length, maxLength: parts.length })
    .map((ids) => parts.map((basisPoints, index) => ({ userId: ids[index] ?? 0, basisPoints })));
});
const terms = fc.record({ commissionBasisPoints: fc.integer({ min: 0, max: wholeBasisPoints }), parties });
const cents = fc.integer({ min: -100_000_000_000, max: 100_000_000_000 });
const total = (amount: number, shareTerms: ShareTerms) => {
  const shares = saleShares(amount, shareTerms);
  return shares.parties.reduce((sum, party) => sum + party.cents, shares.commissionCents);
};

describe("shares", () => {
  test("sum exactly to the amount", () => {
    fc.assert(
      fc.property(cents, terms, (amount, shareTerms) => {
        expect(total(amount, shareTerms)).toBe(amount);
      }),
    );
  });

  test("do not depend on the order of the parties", () => {
    const shuffled = terms.chain((shareTerms) =>
      fc
        .shuffledSubarray([...shareTerms.parties], { minLength: shareTerms.parties.length })
        .map((other) => [shareTerms, { ...shareTerms, parties: other }] as const),
    );
    fc.assert(
      fc.property(cents, shuffled, (amount, [shareTerms, other]) => {
        expect(saleShares(amount, shareTerms)).toEqual(saleShares(amount, other));
      }),
    );
  });

  test("are exact to about half a cent (commission) or one cent (parties); no party has the opposite sign", () => {
    fc.assert(
      fc.property(cents, terms, (amount, shareTerms) => {
        const { commissionCents, parties: shared } = saleShares(amount, shareTerms);
        expect(
          Math.abs(commissionCents - (amount * shareTerms.commissionBasisPoints) / wholeBasisPoints),
        ).toBeLessThanOrEqual(0.501);
        const remainder = amount - commissionCents;
        for (const { userId, cents: share } of shared) {
          const basisPoints = shareTerms.parties.find((party) => party.userId === userId)?.basisPoints ?? 0;
          expect(Math.abs(share - (remainder * basisPoints) / wholeBasisPoints)).toBeLessThan(1.001);
          expect(share * Math.sign(amount)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  test("of a negative amount are the negated shares of the positive amount", () => {
    fc.assert(
      fc.property(cents, terms, (amount, shareTerms) => {
        const shares = saleShares(amount, shareTerms);
        const negated = saleShares(-amount, shareTerms);
        expect(shares.commissionCents + negated.commissionCents).toBe(0);
        expect(shares.parties.map((party, index) => party.cents + (negated.parties[index]?.cents ?? 0))).toEqual(
          shares.parties.map(() => 0),
        );
      }),
    );
  });

  test("give the last cent to the largest remainder or the lower id, and the commission's half cent to parties", () => {
    const thirds = [
      { userId: 3, basisPoints: 3_333 },
      { userId: 1, basisPoints: 3_333 },
      { userId: 2, basisPoints: 3_334 },
    ];
    expect(saleShares(100, { commissionBasisPoints: 0, parties: thirds }).parties).toEqual([
      { userId: 1, cents: 33 },
      { userId: 2, cents: 34 },
      { userId: 3, cents: 33 },
    ]);
    const halves = [
      { userId: 9, basisPoints: 5_000 },
      { userId: 4, basisPoints: 5_000 },
    ];
    expect(saleShares(5, { commissionBasisPoints: 1_000, parties: halves })).toEqual({
      commissionCents: 0,
      parties: [
        { userId: 4, cents: 3 },
        { userId: 9, cents: 2 },
      ],
    });
    expect(saleShares(-5, { commissionBasisPoints: 1_001, parties: halves })).toEqual({
      commissionCents: -1,
      parties: [
        { userId: 4, cents: -2 },
        { userId: 9, cents: -2 },
      ],
    });
  });

  test("that do not sum to 10,000 are refused", () => {
    expect(() => saleShares(1, { commissionBasisPoints: 0, parties: [{ userId: 1, basisPoints: 9_999 }] })).toThrow(
      "The shares sum to 9999 basis points, not to 10000.",
    );
  });
});
