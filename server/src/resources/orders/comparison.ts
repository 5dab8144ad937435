import { formatAmount, formatCents } from "@beatmarket/foundation/text/money.ts";
import type { Movement, MovementKind, PaymentProvider } from "@beatmarket/payments/provider.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { assetsOf } from "../ledger/record.ts";
import type { SettlementDependencies } from "./checkout.ts";

/** The delay after a day's end before it is compared. Until then the provider may still add movements of that day. */
const settledAfterMs = 6 * 3_600_000;
/** The number of past days that are compared if they were missed. The sandbox stores 30 days. */
const maxMissedDays = 28;
/**
 * Days with differences are compared again once a day, for this number of days, because late reports resolve some
 * differences.
 */
const repeatedDays = 7;
const repeatedAfterMs = 20 * 3_600_000;
/** The maximum number of logged differences of a day. */
const maxLogged = 1_000;

/** The newest day (UTC) that can be compared. */
export const newestSettledDay = (nowMs: number): Date =>
  new Date(Math.floor((nowMs - settledAfterMs) / dayMs) * dayMs - dayMs);

/**
 * Hourly background job, which runs in one process at a time. Compares the ledger of each day with each provider once,
 * repeats days with differences, and logs the differences. If a provider does not answer, the next run tries again.
 */
export async function compareDays(
  { db: pool, clock, log, payments }: Pick<SettlementDependencies, "db" | "clock" | "log" | "payments">,
  stopping?: AbortSignal,
): Promise<void> {
  await runInOneProcess(pool, "beatmarket:ledger comparison", async (db) => {
    for (const provider of payments)
      for (const day of await daysDue(db, provider.name, clock.nowMs())) {
        if (stopping?.aborted === true) return;
        const differences = await compareDay(db, provider, day);
        for (const difference of differences.slice(0, maxLogged))
          log.warn({ difference }, `the ledger and ${provider.name} differ: ${inWords(difference, provider.name)}`);
        await storeResult(db, provider.name, day, differences, new Date(clock.nowMs()));
      }
  });
}

/**
 * Returns the days to compare. The first run compares only the newest day, because earlier days may be from a release
 * without a ledger.
 */
async function daysDue(db: Queryable, provider: string, nowMs: number): Promise<Date[]> {
  const newest = newestSettledDay(nowMs);
  const compared = await db
    .selectFrom("ledger_comparisons")
    .select(["day", "differences", "compared_at"])
    .where("provider", "=", provider)
    .where("day", ">=", new Date(newest.getTime() - maxMissedDays * dayMs))
    .execute();
  const first = Math.min(newest.getTime(), ...compared.map(({ day }) => day.getTime()));
  const days: Date[] = [];
  for (let day = first; day <= newest.getTime(); day += dayMs) {
    const row = compared.find((comparison) => comparison.day.getTime() === day);
    const isRepeated =
      row !== undefined &&
      row.differences > 0 &&
      day > newest.getTime() - repeatedDays * dayMs &&
      row.compared_at.getTime() < nowMs - repeatedAfterMs;
    if (row === undefined || isRepeated) days.push(new Date(day));
  }
  return days;
}

async function storeResult(
  db: Queryable,
  provider: string,
  day: Date,
  differences: Difference[],
  now: Date,
): Promise<void> {
  const row = { differences: differences.length, compared_at: now };
  await db
    .insertInto("ledger_comparisons")
    .values({ provider, day, ...row })
    .onConflict((conflict) => conflict.columns(["provider", "day"]).doUpdateSet(row))
    .execute();
}

/** Returns a sentence about a difference, for the operator. */
export function inWords(difference: Difference, provider: string): string {
  const { kind, reference, order_id, ledger_cents, provider_cents, currency, at } = difference;
  const subject = `the ${kind.replace("_", " ")} ${reference ?? "without a reference"}${order_id === null ? "" : ` of order ${order_id}`} on ${at.toISOString()}`;
  const amount = (cents: number) => formatAmount(cents, currency);
  if (ledger_cents === null) return `${subject}, ${amount(provider_cents ?? 0)}, is missing in the ledger.`;
  if (provider_cents === null) return `${subject}, ${amount(ledger_cents)}, is missing at ${provider}.`;
  return `${subject} is ${amount(ledger_cents)} in the ledger and ${formatCents(provider_cents)} at ${provider}.`;
}

/** The latest results of the comparisons for /metrics. `comparedUntilSeconds` is the end of the newest compared day. */
export class ComparisonWatch {
  #state: { provider: string; differences: number; comparedUntilSeconds: number }[] = [];

  get state() {
    return this.#state;
  }

  /** Reads the results of the last `maxMissedDays` days. */
  async measure(db: Queryable, now: Date): Promise<void> {
    const { rows } = await sql<{ provider: string; differences: number; comparedUntilSeconds: number }>`
      select provider, sum(differences)::bigint as differences,
        extract(epoch from max(day) + interval '1 day')::bigint as "comparedUntilSeconds"
      from ledger_comparisons where day >= ${new Date(now.getTime() - maxMissedDays * dayMs)}::timestamptz
      group by provider`.execute(db);
    this.#state = rows;
  }
}

export const dayMs = 86_400_000;
/**
 * The provider may date a movement this much earlier or later than the ledger, because reports and settlement take
 * time.
 */
const earlierMs = 3 * dayMs;
const laterMs = dayMs;
const lookUpSize = 1_000;

/** A difference between the ledger and the provider. */
interface Difference {
  kind: MovementKind;
  /** The provider's id of the payment, refund or dispute. Null if the order in the ledger has no such id. */
  reference: string | null;
  order_id: number | null;
  /**
   * The amounts in the ledger and at the provider, in integer cents of `currency`. Null on the side that lacks the
   * movement.
   */
  ledger_cents: number | null;
  provider_cents: number | null;
  currency: string;
  /** The time of the movement. */
  at: Date;
}

/**
 * Compares the movements of a day (UTC) in the ledger with the movements of a provider. The two sides may date a
 * movement on different days. So movements are looked up at the provider on the days around, and in the ledger on any
 * day. Pending refunds and failed refunds are not differences.
 */
export async function compareDay(
  db: Queryable,
  provider: Pick<PaymentProvider, "name" | "movements">,
  day: Date,
): Promise<Difference[]> {
  const end = new Date(day.getTime() + dayMs);
  const providerMovements = new Map<string, Movement>();
  const from = new Date(day.getTime() - earlierMs);
  for await (const movement of provider.movements(from, new Date(end.getTime() + laterMs)))
    providerMovements.set(keyOf(movement), movement);
  const differences = (await readLedger(db, provider.name, day, end)).flatMap((ledgerMovement): Difference[] => {
    const theirMovement =
      ledgerMovement.reference === null
        ? undefined
        : providerMovements.get(keyOf({ kind: ledgerMovement.kind, reference: ledgerMovement.reference }));
    return theirMovement?.amountCents === ledgerMovement.ledger_cents &&
      theirMovement.currency === ledgerMovement.currency
      ? []
      : [{ ...ledgerMovement, provider_cents: theirMovement?.amountCents ?? null }];
  });
  const movementsOfDay = [...providerMovements.values()].filter(({ at }) => at >= day && at < end);
  for (let first = 0; first < movementsOfDay.length; first += lookUpSize)
    differences.push(...(await findMissingInLedger(db, movementsOfDay.slice(first, first + lookUpSize))));
  return differences;
}

const keyOf = ({ kind, reference }: Pick<Movement, "kind" | "reference">): string => `${kind} ${reference}`;

/** Reads the ledger's movements on the provider's account between two times. */
async function readLedger(
  db: Queryable,
  provider: string,
  from: Date,
  to: Date,
): Promise<(Difference & { ledger_cents: number })[]> {
  // A source is "refund 12" or "dispute du_1". In "dispute du_1:34", 34 is the order whose part of a shared payment is
  // disputed.
  const { rows } = await sql<Difference & { ledger_cents: number }>`
    with recorded as (
      select case when movement.kind in ('sale', 'unfulfilled') then 'charge' else movement.kind end as kind,
        case when movement.kind in ('sale', 'unfulfilled') then orders.payment_reference
             when movement.kind in ('refund', 'refund_reversal') then split_part(refunds.reference, ':', 1)
             else split_part(substr(movement.source, length('dispute ') + 1), ':', 1) end as reference,
        movement.id, movement.order_id, abs(entry.amount_cents) as cents, entry.currency, movement.at
      from ledger_transactions as movement
        join ledger_entries as entry on entry.transaction_id = movement.id and entry.account = ${assetsOf(provider)}
        left join orders on orders.id = movement.order_id
        left join refunds on refunds.order_id = movement.order_id and 'refund ' || refunds.id = movement.source
      where movement.at >= ${from}::timestamptz and movement.at < ${to}::timestamptz and movement.order_id is not null
    )
    -- The orders of a checkout share a payment: their parts are one movement at the provider. Movements without a reference
    -- stay separate.
    select kind, reference, min(order_id) as order_id, sum(cents)::bigint as ledger_cents, currency, min(at) as at
    from recorded group by kind, reference, currency, case when reference is null then id end
    order by min(at), min(id)`.execute(db);
  return rows;
}

/** Returns the provider's movements of our payments that the ledger lacks. */
async function findMissingInLedger(db: Queryable, movements: readonly Movement[]): Promise<Difference[]> {
  const { rows } = await sql<{ place: number; orderId: number | null }>`
    with reported as (
      select * from unnest(${movements.map((_, place) => place)}::int[], ${movements.map(({ kind }) => kind)}::text[],
        ${movements.map(({ reference }) => reference)}::text[], ${movements.map(({ paymentKey }) => paymentKey)}::text[],
        ${movements.map(({ paymentReference }) => paymentReference)}::text[])
        as reported (place, kind, reference, payment_key, payment_reference)
    ), missing as (
      select reported.*, orders.id as order_id from reported left join lateral (
        select min(id) as id from orders where payment_key = reported.payment_key or checkout_key = reported.payment_key) orders on true
      where case
        when kind = 'charge' then not exists (
          select from ledger_transactions as movement
          where movement.order_id = orders.id and movement.kind in ('sale', 'unfulfilled'))
        when kind in ('refund', 'refund_reversal') then not exists (
          select from refunds where (refunds.reference = reported.reference
              or refunds.reference = reported.reference || ':' || refunds.order_id) and (refunds.status <> 'succeeded' or exists (
            select from ledger_transactions as movement
            where movement.source = 'refund ' || refunds.id and movement.kind = reported.kind)))
        else not exists (
          select from ledger_transactions as movement
          where (movement.source = 'dispute ' || reported.reference
              or movement.source = 'dispute ' || reported.reference || ':' || movement.order_id)
            and movement.kind = reported.kind) end
    )
    select place, coalesce(missing.order_id, of_payment.id) as "orderId"
    from missing left join lateral (
      select min(id) as id from orders
      where missing.payment_key is null and orders.payment_reference = missing.payment_reference) of_payment on true
    where missing.payment_key is not null or of_payment.id is not null
    order by place`.execute(db);
  return rows.flatMap(({ place, orderId }) => {
    const movement = movements[place];
    if (movement === undefined) return [];
    const { kind, reference, amountCents, currency, at } = movement;
    return [{ kind, reference, order_id: orderId, ledger_cents: null, provider_cents: amountCents, currency, at }];
  });
}
