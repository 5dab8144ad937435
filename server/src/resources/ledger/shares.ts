import { sharesOf } from "@beatmarket/foundation/shares.ts";

/** The whole of an amount, in basis points. */
export const wholeBasisPoints = 10_000;

/** The shares of a sale, frozen into its order. */
export interface ShareTerms {
  /** The operator's share of the whole. */
  commissionBasisPoints: number;
  /** The recipients of the rest, with parts that sum to 10,000. */
  parties: readonly { userId: number; basisPoints: number }[];
}

/** The share of each party, in cents; together the amount. */
export interface SaleShares {
  commissionCents: number;
  /** By user id. */
  parties: { userId: number; cents: number }[];
}

/**
 * Shares the money of a sale. The commission is rounded to the nearest cent, half a cent down. The rest goes to the parties by the method
 * of the largest remainder; of equal remainders the lower user id is first, so the order of the parties makes no difference. A negative
 * amount is shared as its opposite.
 */
export function saleShares(cents: number, { commissionBasisPoints, parties }: ShareTerms): SaleShares {
  const sum = parties.reduce((total, { basisPoints }) => total + basisPoints, 0);
  if (sum !== wholeBasisPoints) throw new Error(`The shares sum to ${sum} basis points, not to ${wholeBasisPoints}.`);
  const sign = cents < 0 ? -1 : 1;
  const amount = Math.abs(cents);
  // The second of two equal remainders belongs to the operator.
  const [rest = 0, commission = 0] = sharesOf(amount, [
    wholeBasisPoints - commissionBasisPoints,
    commissionBasisPoints,
  ]);
  const byId = parties.toSorted((a, b) => a.userId - b.userId);
  const shares = sharesOf(
    rest,
    byId.map(({ basisPoints }) => basisPoints),
  );
  return {
    commissionCents: signed(sign, commission),
    parties: byId.map(({ userId }, place) => ({ userId, cents: signed(sign, shares[place] ?? 0) })),
  };
}

/** Never -0. */
const signed = (sign: 1 | -1, cents: number): number => (cents === 0 ? 0 : sign * cents);
