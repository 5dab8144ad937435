import { sql } from "kysely";
import type { Queryable } from "../../../../database/connect.ts";
import type { Movement } from "../../provider.ts";

/** Of the ids of its refunds. */
export const refundPrefix = "sandbox_refund_";

/** What the sandbox would have moved in a period. Its payments have no time of their own, so they have the order's. */
export async function sandboxMovements(db: Queryable, from: Date, to: Date): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select 'charge' as kind, 'sandbox_' || order_id as reference, orders.payment_key as "paymentKey",
      'sandbox_' || order_id as "paymentReference", payments.amount_cents as "amountCents", payments.currency,
      coalesce(orders.completed_at, orders.created_at) as at
    from sandbox_payments as payments join orders on orders.id = order_id
    where payments.status = 'succeeded' and payments.amount_cents > 0
      and orders.created_at < ${to}::timestamptz and coalesce(orders.completed_at, orders.created_at) >= ${from}::timestamptz
      and coalesce(orders.completed_at, orders.created_at) < ${to}::timestamptz
    union all
    select 'refund', ${refundPrefix} || refunds.id, orders.payment_key, 'sandbox_' || order_id, refunds.amount_cents,
      orders.currency, refunds.created_at
    from sandbox_refunds as refunds join orders on orders.id = order_id
    where refunds.status = 'succeeded'
      and refunds.created_at >= ${from}::timestamptz and refunds.created_at < ${to}::timestamptz`.execute(db);
  return rows;
}
