import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** What a provider holds for the marketplace. */
export const assetsOf = (provider: string): string => `assets:${provider}`;

/** Followed by the id of a producer, the account of what they are owed. */
export const producersAccounts = "liabilities:producers:";
const producerAccount = (producerId: number): string => `${producersAccounts}${producerId}`;

/** What buyers are owed: they paid for orders that failed. */
const buyersAccount = "liabilities:buyers";

// Each function is one statement, to be run in the transaction of the fact that it records. A fact is recorded once, however
// often it is reported, and an amount of 0 records nothing.

/** A payment or its way back, as the ledger needs it. */
export interface Movement {
  orderId: number;
  /** The payment provider that holds the money: `stripe`, `sandbox`. */
  provider: string;
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  at: Date;
}

/** Money of a completed order. `producerId` is the order's; what was claimed since is the account's that claimed it. */
export interface ProducersMovement extends Movement {
  producerId: number;
}

/** A completed order: the provider holds its price, which is the producer's. */
export const recordSale = (transaction: Queryable, sale: ProducersMovement): Promise<void> =>
  record(transaction, { kind: "sale", source: `order ${sale.orderId}` }, sale, producer(sale.producerId), 1);

/** A payment that succeeded for an order that failed: the provider holds it for the buyer. */
export const recordUnfulfilled = (transaction: Queryable, payment: Movement): Promise<void> =>
  record(transaction, { kind: "unfulfilled", source: `order ${payment.orderId}` }, payment, buyers, 1);

/** Money that goes back to the buyer. `producerId` is null for the payment of an order that failed (`recordUnfulfilled`). */
export type BuyersMovement = Movement & { producerId: number | null };
type Refunded = BuyersMovement & { refundId: number };
/** `reference` is the provider's id of the dispute. */
type Disputed = BuyersMovement & { reference: string };

/** A refund that went through. */
export const recordRefund = (transaction: Queryable, refund: Refunded): Promise<void> =>
  record(transaction, { kind: "refund", source: `refund ${refund.refundId}` }, refund, owner(refund), -1);

/** A refund that went through, and that the buyer's bank sent back. */
export const recordRefundReversal = (transaction: Queryable, refund: Refunded): Promise<void> =>
  record(transaction, { kind: "refund_reversal", source: `refund ${refund.refundId}` }, refund, owner(refund), 1);

/** A dispute for which the provider has withdrawn the money. */
export const recordDispute = (transaction: Queryable, dispute: Disputed): Promise<void> =>
  record(transaction, { kind: "dispute", source: `dispute ${dispute.reference}` }, dispute, owner(dispute), -1);

/** A dispute whose money the provider has given back. */
export const recordDisputeReversal = (transaction: Queryable, dispute: Disputed): Promise<void> =>
  record(transaction, { kind: "dispute_reversal", source: `dispute ${dispute.reference}` }, dispute, owner(dispute), 1);

/** An imported producer who was claimed by an account: what the producer is owed is owed to the account. */
export async function recordProducerMerged(
  transaction: Queryable,
  { producerId, intoUserId, at }: { producerId: number; intoUserId: number; at: Date },
): Promise<void> {
  const [from, to] = [producerAccount(producerId), producerAccount(intoUserId)];
  await sql`
    with balance as (
      select currency, sum(amount_cents)::bigint as amount_cents from ledger_entries where account = ${from}
      group by currency having sum(amount_cents) <> 0
    ), recorded as (
      insert into ledger_transactions (kind, source, at)
      select 'producer_merged', ${`producer ${producerId}`}, ${at}::timestamptz
      where exists (select from balance)
      on conflict (source, kind) do nothing returning id
    )
    insert into ledger_entries (transaction_id, account, amount_cents, currency)
    select recorded.id, entry.account, entry.sign * balance.amount_cents, balance.currency
    from recorded, balance, (values (${from}, -1), (${to}, 1)) as entry (account, sign)`.execute(transaction);
}

/** Debits what the provider holds and credits the owner; the other way round for a sign of -1. */
async function record(
  transaction: Queryable,
  { kind, source }: { kind: string; source: string },
  { orderId, provider, amountCents, currency, at }: Movement,
  owner: RawBuilder<unknown>,
  sign: 1 | -1,
): Promise<void> {
  if (amountCents === 0) return;
  await sql`
    with recorded as (
      insert into ledger_transactions (kind, source, order_id, at)
      values (${kind}, ${source}, ${orderId}, ${at}::timestamptz)
      on conflict (source, kind) do nothing returning id
    ), owner as (${owner})
    insert into ledger_entries (transaction_id, account, amount_cents, currency)
    select recorded.id, entry.account, entry.amount_cents, ${currency}
    from recorded, owner, lateral
      (values (${assetsOf(provider)}, ${sign * amountCents}::bigint), (owner.account, ${-sign * amountCents}::bigint))
        as entry (account, amount_cents)`.execute(transaction);
}

const buyers = sql`select ${buyersAccount} as account`;

/** The account that the producer's money is on. Its lock makes a claim wait, which then moves this money, too. */
const producer = (producerId: number): RawBuilder<unknown> =>
  sql`select ${producersAccounts} || coalesce(joined_user_id, id) as account
    from users where id = ${producerId} for share`;

const owner = ({ producerId }: BuyersMovement): RawBuilder<unknown> =>
  producerId === null ? buyers : producer(producerId);
