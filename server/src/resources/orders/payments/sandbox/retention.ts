import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../../database/connect.ts";

const retentionMs = 30 * 86_400_000;

/** Deletes the sandbox's final refunds 30 days after they were made: `refunds` keeps them for ever. Returns their number. */
export function deleteOldSandboxRefunds(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  return inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from sandbox_refunds where id in (
        select id from (select id, status, created_at from sandbox_refunds order by id limit ${batchSize}) oldest
        where created_at < ${before} and status <> 'pending')`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
}

/**
 * Deletes the sandbox's payments 30 days after the order, once nothing is left to settle or refund: the order has what
 * became of it, and is kept for ever. Returns their number.
 */
export function deleteOldSandboxPayments(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  return inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from sandbox_payments where order_id in (
        select orders.id from (select order_id from sandbox_payments order by order_id limit ${batchSize}) oldest
        join orders on orders.id = oldest.order_id
        where orders.created_at < ${before} and orders.status <> 'pending'
          and not exists (select from refunds where refunds.order_id = orders.id and refunds.status = 'pending'))`.execute(
      db,
    );
    return Number(numAffectedRows ?? 0);
  });
}
