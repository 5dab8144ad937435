import { conflict } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { lockUser } from "../../audit/lock-user.ts";
import { pendingForMs } from "../checkout.ts";

/** Exclusive licenses that an account may be paying for at once. Each takes its beat off sale for up to 15 minutes. */
const maxOpenExclusives = 5;
/** Purchases of one beat's exclusive license that an account may leave unpaid in any 24 hours. */
const maxUnpaidPerBeat = 5;
const unpaidForMs = 24 * 3_600_000;
/** How long unpaid purchases of all accounts together may hold one beat in any 24 hours. */
const maxHeldMs = 2 * 3_600_000;

/**
 * Bounds what is taken off sale without paying (docs/api/orders.md, Licenses), by an account and, for a beat, by all of them: 409
 * beyond. Locks the account until the transaction ends, so that concurrent orders cannot pass the bounds together; the caller
 * has locked the beat.
 */
export async function requireExclusiveAllowed(
  transaction: Queryable,
  { userId, beatId, now }: { userId: number; beatId: number; now: Date },
): Promise<void> {
  await lockUser(transaction, userId);
  const since = new Date(now.getTime() - unpaidForMs);
  const { rows } = await sql<{ open: number; unpaid: number }>`
    select count(*) filter (where status = 'pending') as open, count(*) filter (where beat_id = ${beatId}) as unpaid
    from orders
    where user_id = ${userId} and status in ('pending', 'failed') and created_at > ${since}::timestamptz
      and license_type = 'exclusive'`.execute(transaction);
  const { open = 0, unpaid = 0 } = rows[0] ?? {};
  if (open >= maxOpenExclusives)
    throw conflict(
      `Your account is paying for ${open} exclusive licenses, which is as many as it may at once. Finish one of these payments, or wait up to 15 minutes until one ends.`,
    );
  if (unpaid >= maxUnpaidPerBeat)
    throw conflict(
      `Your account has left ${unpaid} purchases of the exclusive license of beat ${beatId} unpaid within 24 hours. Buy another license, or try again tomorrow.`,
    );
  await requireRestForBeat(transaction, { userId, beatId, since });
}

/**
 * Accounts that have paid for something are not stopped by what others left unpaid: nobody should keep a buyer from a license
 * by holding it a few times. A hold ends after 15 minutes, also where the order failed much later because no server ran.
 */
async function requireRestForBeat(
  transaction: Queryable,
  { userId, beatId, since }: { userId: number; beatId: number; since: Date },
): Promise<void> {
  const { rows } = await sql<{ held_ms: number; has_paid: boolean }>`
    select coalesce(sum(least(extract(epoch from failed_at - created_at) * 1000, ${pendingForMs})), 0)::float8 as held_ms,
           exists (select from orders where user_id = ${userId} and status = 'completed' and amount_cents > refunded_cents) as has_paid
    from orders
    where beat_id = ${beatId} and completed_at is null and status = 'failed' and license_type = 'exclusive'
      and created_at > ${since}::timestamptz`.execute(transaction);
  const [{ held_ms, has_paid } = { held_ms: 0, has_paid: false }] = rows;
  if (held_ms >= maxHeldMs && !has_paid)
    throw conflict(
      `Purchases that were not paid for have held beat ${beatId} for ${Math.floor(held_ms / 60_000)} minutes within 24 hours, so its exclusive license goes to accounts that have paid for an order before. Buy another license of it, or try again tomorrow.`,
    );
}
