import { sharesOf } from "@beatmarket/foundation/shares.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** The account of the operator's commission. */
export const commissionAccount = "income:commission";
/** The prefix of a producer's account, followed by the id of the producer. */
export const producerAccountPrefix = "liabilities:producers:";
export const producerAccount = (producerId: number): string => `${producerAccountPrefix}${producerId}`;

/** The terms by which a sale is shared, and the sale's money in the ledger. */
export interface OrderMoney {
  terms: ShareTerms;
  /** The amount that the payment provider holds. */
  heldCents: number;
  /** The balances of the operator and the producers, by account. A liability is negative. */
  owed: ReadonlyMap<string, number>;
}

const balances = sql`
  (select json_agg(json_build_object('account', account, 'cents', cents)) from (
     select account, sum(amount_cents)::bigint as cents
     from ledger_transactions join ledger_entries on transaction_id = ledger_transactions.id
     where order_id = orders.id and ledger_entries.currency = orders.currency group by account) as balance)`;

/** Reads the money of completed orders from the ledger, by order. `areNew`: the ledger has none of these orders yet. */
export async function readOrderMoney(
  transaction: Queryable,
  orderIds: readonly number[],
  { areNew = false } = {},
): Promise<Map<number, OrderMoney>> {
  const { rows } = await sql<{
    id: number;
    producer_id: number;
    commission_basis_points: number;
    shares: { userId: number; basisPoints: number }[] | null;
    balances: { account: string; cents: number }[] | null;
  }>`
    select id, producer_id, commission_basis_points,
      (select json_agg(json_build_object('userId', user_id, 'basisPoints', basis_points))
         from order_shares where order_id = orders.id) as shares,
      ${areNew ? sql`null` : balances} as balances
    from orders where id = any (${orderIds}::bigint[])`.execute(transaction);
  return new Map(
    rows.map(({ id, producer_id, commission_basis_points, shares, balances }) => [
      id,
      {
        terms: {
          commissionBasisPoints: commission_basis_points,
          parties: shares ?? [{ userId: producer_id, basisPoints: wholeBasisPoints }],
        },
        heldCents: sumOf(balances, ({ account }) => account.startsWith("assets:")),
        owed: new Map((balances ?? []).filter(isPartyOfSale).map(({ account, cents }) => [account, cents])),
      },
    ]),
  );
}

const isPartyOfSale = ({ account }: { account: string }): boolean =>
  account === commissionAccount || account.startsWith(producerAccountPrefix);

const sumOf = (
  balances: { account: string; cents: number }[] | null,
  counts: (balance: { account: string }) => boolean,
): number => (balances ?? []).filter(counts).reduce((sum, { cents }) => sum + cents, 0);

/**
 * The entries for a change of the amount that the provider holds, so that every party of a sale has its share of the
 * new amount. After a full refund every balance is zero.
 */
export function entriesOfChange(money: OrderMoney, changeCents: number): { account: string; cents: number }[] {
  const { commissionCents, parties } = saleShares(money.heldCents + changeCents, money.terms);
  const balances = new Map(parties.map(({ userId, cents }) => [producerAccount(userId), -cents]));
  balances.set(commissionAccount, -commissionCents);
  return [...new Set([...balances.keys(), ...money.owed.keys()])]
    .map((account) => ({ account, cents: (balances.get(account) ?? 0) - (money.owed.get(account) ?? 0) }))
    .filter(({ cents }) => cents !== 0);
}

/** The whole of an amount, in basis points. */
export const wholeBasisPoints = 10_000;

/** The shares of a sale, frozen into its order. */
export interface ShareTerms {
  /** The operator's share of the whole. */
  commissionBasisPoints: number;
  /** The recipients of the rest, with parts that sum to 10,000. */
  parties: readonly { userId: number; basisPoints: number }[];
}

/** The share of each party in cents. The shares sum to the amount. */
export interface SaleShares {
  commissionCents: number;
  /** By user id. */
  parties: { userId: number; cents: number }[];
}

/**
 * Divides the money of a sale. The commission is rounded to the nearest cent, half a cent down. The parties share the
 * rest by the method of the largest remainder; for equal remainders the lower user id is first, so the order of the
 * parties does not matter. The shares of a negative amount are the negated shares of the positive amount.
 */
export function saleShares(cents: number, { commissionBasisPoints, parties }: ShareTerms): SaleShares {
  const sum = parties.reduce((total, { basisPoints }) => total + basisPoints, 0);
  if (sum !== wholeBasisPoints) throw new Error(`The shares sum to ${sum} basis points, not to ${wholeBasisPoints}.`);
  const sign = cents < 0 ? -1 : 1;
  const amount = Math.abs(cents);
  // The operator is second, so that half a cent goes to the parties.
  const [remainder = 0, commission = 0] = sharesOf(amount, [
    wholeBasisPoints - commissionBasisPoints,
    commissionBasisPoints,
  ]);
  const byId = parties.toSorted((a, b) => a.userId - b.userId);
  const shares = sharesOf(
    remainder,
    byId.map(({ basisPoints }) => basisPoints),
  );
  return {
    commissionCents: signed(sign, commission),
    parties: byId.map(({ userId }, place) => ({ userId, cents: signed(sign, shares[place] ?? 0) })),
  };
}

/** Applies the sign without -0. */
const signed = (sign: 1 | -1, cents: number): number => (cents === 0 ? 0 : sign * cents);
