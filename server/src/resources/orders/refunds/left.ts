import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { OrderWithPayment } from "../order.ts";

interface Left {
  /**
   * The amount that is neither refunded, nor being refunded, nor withdrawn by a dispute. Below 0 when a dispute withdrew
   * refunded money.
   */
  leftCents: number;
  /** The newest refund that is pending. */
  pendingId: number | null;
  /** The number of refunds of the order in any state. */
  count: number;
}

/** What can still be refunded of an order. */
export async function leftOf(transaction: Queryable, { id, amount_cents }: OrderWithPayment): Promise<Left> {
  const { rows } = await sql<{ reserved: number; pending_id: number | null; count: number }>`
    select coalesce(sum(amount_cents) filter (where status <> 'failed'), 0)::bigint
        + (select coalesce(sum(amount_cents), 0)::bigint from disputes where order_id = ${id} and is_withdrawn) as reserved,
      max(id) filter (where status = 'pending') as pending_id, count(*) as count
    from refunds where order_id = ${id}`.execute(transaction);
  const { reserved = 0, pending_id = null, count = 0 } = rows[0] ?? {};
  return { leftCents: amount_cents - reserved, pendingId: pending_id, count };
}
