import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { conflict } from "../../../errors.ts";
import { lockUser } from "../../audit/lock-user.ts";

/** Exclusive licenses that an account may be paying for at once. Each takes its beat off sale for up to 15 minutes. */
const maxOpenExclusives = 5;
/** Purchases of one beat's exclusive license that an account may leave unpaid in any 24 hours. */
const maxUnpaidPerBeat = 5;
const unpaidForMs = 24 * 3_600_000;

/**
 * Bounds what an account takes off sale without paying (docs/api/orders.md, Licenses): 409 beyond. Locks the account until
 * the transaction ends, so that concurrent orders cannot pass the bounds together.
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
      `Your account is paying for ${open} exclusive licenses, which is as many as it may at once. Finish one of these payments, or wait up to 15 minutes until one lapses.`,
    );
  if (unpaid >= maxUnpaidPerBeat)
    throw conflict(
      `Your account has left ${unpaid} purchases of the exclusive license of beat ${beatId} unpaid within 24 hours. Buy another license, or try again tomorrow.`,
    );
}
