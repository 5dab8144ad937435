import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { lockUser } from "../../audit/lock-user.ts";
import { pendingForMs } from "../checkout.ts";

/**
 * The maximum number of exclusive licenses that a buyer may be paying for at a time. Each of these purchases takes its
 * beat off sale for up to 15 minutes.
 */
const maxOpenExclusives = 5;
/** The maximum number of unpaid purchases of one beat's exclusive license by one buyer in any 24 hours. */
const maxUnpaidPerBeat = 5;
const unpaidForMs = 24 * 3_600_000;
/** The maximum time that unpaid purchases of all accounts together may hold one beat in any 24 hours. */
const maxHeldMs = 2 * 3_600_000;

/** The buyer for whom an exclusive license is held: an account, or the address of a buyer without an account. */
export type Holder = { userId: number } | { email: string };

/** Purchases of exclusive licenses whose payment is open (`pending`) or failed (`failed`), in orders and checkouts. */
const holds = sql`(
  select user_id, null as email, beat_id, status, created_at, failed_at from orders
  where license_type = 'exclusive' and status in ('pending', 'failed') and checkout_key is null
  union all
  select checkouts.user_id, checkouts.email, item.beat_id, case status when 'open' then 'pending' else 'failed' end,
    created_at, finished_at
  from checkout_items item join checkouts on checkouts.id = item.checkout_id
  where item.license_type = 'exclusive' and status <> 'completed'
) as holds`;

const isHeldBy = (buyer: Holder): RawBuilder<boolean> =>
  "userId" in buyer ? sql`user_id = ${buyer.userId}` : sql`(user_id is null and email = ${buyer.email})`;

/**
 * Limits how many beats a buyer may take off sale without paying, and how long all buyers may hold one beat
 * (docs/api/orders.md, Licenses). Throws 409 above a limit. Locks the buyer until the transaction ends, so that
 * concurrent purchases cannot exceed the limits together. The caller has locked the beat.
 */
export async function requireExclusiveAllowed(
  transaction: Queryable,
  { buyer, beatId, now }: { buyer: Holder; beatId: number; now: Date },
): Promise<void> {
  if ("userId" in buyer) await lockUser(transaction, buyer.userId);
  else await sql`select pg_advisory_xact_lock(hashtextextended(${buyer.email}, 0))`.execute(transaction);
  const since = new Date(now.getTime() - unpaidForMs);
  const { rows } = await sql<{ open: number; unpaid: number }>`
    select count(*) filter (where status = 'pending') as open, count(*) filter (where beat_id = ${beatId}) as unpaid
    from ${holds} where ${isHeldBy(buyer)} and created_at > ${since}::timestamptz`.execute(transaction);
  const { open = 0, unpaid = 0 } = rows[0] ?? {};
  if (open >= maxOpenExclusives)
    throw conflict(
      `You are paying for ${open} exclusive licenses, which is as many as you may at once. Finish one of these payments, or wait up to 15 minutes until one ends.`,
    );
  if (unpaid >= maxUnpaidPerBeat)
    throw conflict(
      `You have left ${unpaid} purchases of the exclusive license of beat ${beatId} unpaid within 24 hours. Buy another license, or try again tomorrow.`,
    );
  await requireHoldTimeLeft(transaction, { buyer, beatId, since });
}

/**
 * Throws 409 if unpaid purchases have held the beat for too long. Accounts that have paid for an order, and were not
 * refunded in full, are exempt, so that other accounts cannot prevent them from buying. A hold counts for at most 15
 * minutes, even if the order failed much later because no server ran.
 */
async function requireHoldTimeLeft(
  transaction: Queryable,
  { buyer, beatId, since }: { buyer: Holder; beatId: number; since: Date },
): Promise<void> {
  const hasPaid =
    "userId" in buyer
      ? sql`exists (select from orders
          where user_id = ${buyer.userId} and status = 'completed' and amount_cents > refunded_cents)`
      : sql`false`;
  const { rows } = await sql<{ held_ms: number; has_paid: boolean }>`
    select coalesce(sum(least(extract(epoch from failed_at - created_at) * 1000, ${pendingForMs})), 0)::float8 as held_ms,
           ${hasPaid} as has_paid
    from ${holds} where beat_id = ${beatId} and status = 'failed' and created_at > ${since}::timestamptz`.execute(
    transaction,
  );
  const [{ held_ms, has_paid } = { held_ms: 0, has_paid: false }] = rows;
  if (held_ms >= maxHeldMs && !has_paid)
    throw conflict(
      `Purchases that were not paid for have held beat ${beatId} for ${Math.floor(held_ms / 60_000)} minutes within 24 hours, so its exclusive license goes to accounts that have paid for an order before. Buy another license of it, or try again tomorrow.`,
    );
}

/** The API key that places an order. */
export interface OrderingKey {
  id: number;
  /** The maximum amount that the key may spend in 30 days. Undefined for a key without a cap. */
  spendingCapCents?: number | undefined;
}

const windowDays = 30;

/**
 * Makes the orders of one key run one after the other, so that together they stay within the key's cap. Does nothing
 * without a cap.
 */
export async function lockSpending(transaction: Queryable, key: OrderingKey | undefined): Promise<void> {
  if (key?.spendingCapCents === undefined) return;
  await transaction.selectFrom("api_keys").select("id").where("id", "=", key.id).forNoKeyUpdate().execute();
}

/**
 * Throws 403 if the key's orders of the last 30 days exceed the cap. The order that this transaction has inserted
 * counts too; failed orders and refunded amounts do not. The caller has called `lockSpending`.
 */
export async function requireWithinCap(
  transaction: Queryable,
  key: OrderingKey | undefined,
  order: { amount_cents: number; currency: string },
  now: Date,
): Promise<void> {
  if (key?.spendingCapCents === undefined) return;
  const { spent } = await transaction
    .selectFrom("orders")
    .select(sql<number>`coalesce(sum(amount_cents - refunded_cents), 0)::bigint`.as("spent"))
    .where("api_key_id", "=", key.id)
    .where("created_at", ">", sql<Date>`${now}::timestamptz - make_interval(days => ${windowDays})`)
    .where("status", "<>", "failed")
    .executeTakeFirstOrThrow();
  if (spent <= key.spendingCapCents) return;
  const cap = formatAmount(key.spendingCapCents, order.currency);
  const remaining = formatAmount(Math.max(0, key.spendingCapCents - (spent - order.amount_cents)), order.currency);
  throw new ApiError(
    403,
    "forbidden",
    "Spending cap reached",
    `This API key may spend ${cap} in ${windowDays} days, and ${remaining} of it is left. Nothing was charged: raise the key's spending cap in the developer portal, under API keys, or buy with another key.`,
    { refusedBy: "spending-cap" },
  );
}
