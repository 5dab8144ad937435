import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { entriesOfChange, producerAccount, producerAccountPrefix, readOrderMoney } from "./order-money.ts";

/** The account of the money that a provider holds for the marketplace. */
export const assetsOf = (provider: string): string => `assets:${provider}`;

/** The account of money owed to buyers who paid for failed orders. */
const buyersAccount = "liabilities:buyers";

// Each function must be called in the transaction of the recorded fact. That transaction has locked the order, or
// completes it. A fact is recorded once, even if it is reported several times. An amount of 0 is not recorded.

/** A payment or its reversal, for the ledger. */
export interface Movement {
  orderId: number;
  /** The payment provider that holds the money: `stripe`, `sandbox`. */
  provider: string;
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  at: Date;
}

/** A movement of a completed order. `producerId` is the producer of the order. */
interface ProducersMovement extends Movement {
  producerId: number;
}

/**
 * Records the sales of completed orders: the provider holds the prices, and the parties of the orders share them.
 * `areNew`: this transaction completes the orders, so no money of theirs has moved before.
 */
export const recordSales = (
  transaction: Queryable,
  sales: readonly ProducersMovement[],
  { areNew = false } = {},
): Promise<void> =>
  record(
    transaction,
    { kind: "sale", sign: 1, areNew },
    sales.map((sale) => ({ ...sale, source: `order ${sale.orderId}` })),
  );

/** Records a successful payment for a failed order: the provider holds it for the buyer. */
export const recordUnfulfilled = (transaction: Queryable, payment: Movement): Promise<void> =>
  record(transaction, { kind: "unfulfilled", sign: 1 }, [
    { ...payment, producerId: null, source: `order ${payment.orderId}` },
  ]);

/**
 * A movement of money from or to a buyer. `producerId` is the producer of the order, and null if the order failed
 * (`recordUnfulfilled`).
 */
export type BuyersMovement = Movement & { producerId: number | null };
type RefundMovement = BuyersMovement & { refundId: number };
/** `reference` is the provider's id of the dispute. */
type DisputeMovement = BuyersMovement & { reference: string };

/** Records a successful refund. */
export const recordRefund = (transaction: Queryable, refund: RefundMovement): Promise<void> =>
  record(transaction, { kind: "refund", sign: -1 }, [{ ...refund, source: `refund ${refund.refundId}` }]);

/** Records the return of a successful refund by the buyer's bank. */
export const recordRefundReversal = (transaction: Queryable, refund: RefundMovement): Promise<void> =>
  record(transaction, { kind: "refund_reversal", sign: 1 }, [{ ...refund, source: `refund ${refund.refundId}` }]);

/** Records a dispute for which the provider has withdrawn the money. */
export const recordDispute = (transaction: Queryable, dispute: DisputeMovement): Promise<void> =>
  record(transaction, { kind: "dispute", sign: -1 }, [{ ...dispute, source: `dispute ${dispute.reference}` }]);

/** Records the return of a dispute's money by the provider. */
export const recordDisputeReversal = (transaction: Queryable, dispute: DisputeMovement): Promise<void> =>
  record(transaction, { kind: "dispute_reversal", sign: 1 }, [{ ...dispute, source: `dispute ${dispute.reference}` }]);

/** Records the claim of an imported producer: the claiming account (`intoUserId`) gets the producer's balance. */
export async function recordProducerMerged(
  transaction: Queryable,
  { producerId, intoUserId, at }: { producerId: number; intoUserId: number; at: Date },
): Promise<void> {
  const from = producerAccount(producerId);
  const to = producerAccount(intoUserId);
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

/** A movement with the name of its fact. Each fact is recorded once for each kind. */
type Fact = BuyersMovement & { source: string };

/**
 * Debits the provider and credits the parties of the order with their shares. If the fact has no producer, credits the
 * account of the buyers. A sign of -1 reverses the entries. The balance of a claimed producer belongs to the claiming
 * account. The lock of the producer makes a concurrent claim wait; the claim then moves this money, too.
 */
async function record(
  transaction: Queryable,
  { kind, sign, areNew = false }: { kind: string; sign: 1 | -1; areNew?: boolean },
  facts: readonly Fact[],
): Promise<void> {
  const movedFacts = facts.filter(({ amountCents }) => amountCents !== 0);
  if (movedFacts.length === 0) return;
  const soldOrderIds = movedFacts.filter(({ producerId }) => producerId !== null).map(({ orderId }) => orderId);
  const money = soldOrderIds.length === 0 ? new Map() : await readOrderMoney(transaction, soldOrderIds, { areNew });
  const entries = movedFacts.flatMap(({ source, orderId, provider, producerId, amountCents }) => {
    const change = sign * amountCents;
    const orderMoney = producerId === null ? undefined : money.get(orderId);
    const others =
      orderMoney === undefined ? [{ account: buyersAccount, cents: -change }] : entriesOfChange(orderMoney, change);
    return [{ account: assetsOf(provider), cents: change }, ...others].map((entry) => ({ ...entry, source }));
  });
  const producers = entries.flatMap(({ account }) => producerOf(account) ?? []);
  const column = <T>(value: (fact: Fact) => T) => movedFacts.map(value);
  await sql`
    with fact as (
      select * from unnest(${column(({ source }) => source)}::text[], ${column(({ orderId }) => orderId)}::bigint[],
          ${column(({ currency }) => currency)}::text[], ${column(({ at }) => at.toISOString())}::timestamptz[])
        as fact (source, order_id, currency, at)
    ), recorded as (
      insert into ledger_transactions (kind, source, order_id, at) select ${kind}, source, order_id, at from fact
      on conflict (source, kind) do nothing returning id, source
    ), producer as (
      select ${producerAccountPrefix} || id as own, ${producerAccountPrefix} || coalesce(joined_user_id, id) as account
      from users where id = any (${producers}::bigint[]) order by id for share
    ), entry as (
      select * from unnest(${entries.map(({ source }) => source)}::text[], ${entries.map(({ account }) => account)}::text[],
          ${entries.map(({ cents }) => cents)}::bigint[]) as entry (source, account, cents)
    )
    insert into ledger_entries (transaction_id, account, amount_cents, currency)
    select recorded.id, coalesce(producer.account, entry.account), sum(entry.cents), fact.currency
    from recorded join fact using (source) join entry using (source) left join producer on producer.own = entry.account
    group by recorded.id, coalesce(producer.account, entry.account), fact.currency having sum(entry.cents) <> 0`.execute(
    transaction,
  );
}

const producerOf = (account: string): number | undefined =>
  account.startsWith(producerAccountPrefix) ? Number(account.slice(producerAccountPrefix.length)) : undefined;

const ordersPerBatch = 1_000;

/**
 * Background job, hourly: records the sales of orders that an instance of a release without a ledger completed. The
 * first two runs check all orders. Later runs check the orders since the run before the last, because an order may have
 * been pending in the last run.
 */
export class SalesBackfill {
  readonly #db: Queryable;
  /** The ids of the newest orders in the run before the last, and in the last run. */
  #newest: [before: number, last: number] = [0, 0];

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Returns the number of recorded sales. */
  async run(stopping?: AbortSignal): Promise<number> {
    let total = 0;
    await runInOneProcess(this.#db, "beatmarket:ledger backfill", async (connection) => {
      let [afterId] = this.#newest;
      for (;;) {
        const { newest, recorded } = await recordBatch(connection, afterId);
        total += recorded;
        if (newest === null || stopping?.aborted === true) break;
        afterId = newest;
      }
      this.#newest = [this.#newest[1], afterId];
    });
    return total;
  }
}

async function recordBatch(db: Queryable, afterId: number): Promise<{ newest: number | null; recorded: number }> {
  return transact(db, async (transaction) => {
    const { rows } = await sql<{ newest: number | null }>`
        select max(id) as newest from (
          select id from orders where id > ${afterId} order by id limit ${ordersPerBatch}) as batch`.execute(
      transaction,
    );
    const newest = rows[0]?.newest ?? null;
    const { rows: missing } = await sql<ProducersMovement>`
        select id as "orderId", payment_provider as provider, amount_cents as "amountCents", currency,
          completed_at as at, producer_id as "producerId"
        from orders where id > ${afterId} and id <= ${newest}
          and status = 'completed' and amount_cents > 0 and not exists (
            select from ledger_transactions where order_id = orders.id and kind = 'sale')
        order by id`.execute(transaction);
    await recordSales(transaction, missing);
    return { newest, recorded: missing.length };
  });
}
