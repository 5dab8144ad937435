import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { OrderWithPayment } from "../order.ts";

/**
 * `operator`: an operator requested it. `provider`: it was made in the provider's dashboard. `unfulfilled`: the order
 * failed although its payment succeeded. `upgraded`: the order upgrades a license that was refunded.
 */
export const refundOrigins = ["operator", "provider", "unfulfilled", "upgraded"] as const;
export type RefundOrigin = (typeof refundOrigins)[number];

/** A refund to a buyer. */
export interface Refund {
  id: number;
  order_id: number;
  amount_cents: number;
  /** `succeeded` becomes `failed` if the buyer's bank sends the money back. `failed` is final. */
  status: "pending" | "succeeded" | "failed";
  origin: RefundOrigin;
  /** The provider's id. Null until the provider has returned it. */
  reference: string | null;
  /** The number of requests sent to the provider, each with its own idempotency key. */
  attempts: number;
  /** The time of the last request or query at the provider. Null before the first. */
  asked_at: Date | null;
  /** A sentence for the operator. Null unless the refund failed. */
  failure_reason: string | null;
  created_at: Date;
  settled_at: Date | null;
}

export const refundColumns = [
  "refunds.id",
  "refunds.order_id",
  "refunds.amount_cents",
  "refunds.status",
  "refunds.origin",
  "refunds.reference",
  "refunds.attempts",
  "refunds.asked_at",
  "refunds.failure_reason",
  "refunds.created_at",
  "refunds.settled_at",
] as const;

export const selectRefunds = (db: Queryable) => db.selectFrom("refunds").select(refundColumns).$narrowType<Refund>();

export const findRefund = (db: Queryable, id: number): Promise<Refund> =>
  selectRefunds(db).where("id", "=", id).executeTakeFirstOrThrow();

interface NewRefund {
  amountCents: number;
  origin: RefundOrigin;
  reference?: string;
  run?: string | null;
  /**
   * Whether the caller sends the first request to the provider after the commit. If the caller crashes before, the
   * reconciler sends a request two minutes later (`lostAfterMs`), unless the provider lists the refund.
   */
  isSent?: boolean;
  now: Date;
}

/** Adds a pending refund. */
export const insertRefund = (transaction: Queryable, orderId: number, refund: NewRefund): Promise<Refund> =>
  transaction
    .insertInto("refunds")
    .values({
      order_id: orderId,
      amount_cents: refund.amountCents,
      origin: refund.origin,
      reference: refund.reference ?? null,
      idempotency_run: refund.run ?? null,
      created_at: refund.now,
      ...(refund.isSent === true && { attempts: 1, asked_at: refund.now }),
    })
    .returning(refundColumns)
    .$narrowType<Refund>()
    .executeTakeFirstOrThrow();

interface RefundableAmount {
  /**
   * The price less succeeded and pending refunds, and less the money that disputes withdrew. Below 0 if a dispute
   * withdrew money that was refunded.
   */
  refundableCents: number;
  /** The id of the newest pending refund. Null if none is pending. */
  pendingId: number | null;
  /** The number of refunds of the order, in any state. */
  count: number;
}

/** Returns the amount of an order that can still be refunded. */
export async function refundableAmount(
  transaction: Queryable,
  { id, amount_cents }: OrderWithPayment,
): Promise<RefundableAmount> {
  const { rows } = await sql<{ reserved: number; pending_id: number | null; count: number }>`
    select coalesce(sum(amount_cents) filter (where status <> 'failed'), 0)::bigint
        + (select coalesce(sum(amount_cents), 0)::bigint from disputes where order_id = ${id} and is_withdrawn) as reserved,
      max(id) filter (where status = 'pending') as pending_id, count(*) as count
    from refunds where order_id = ${id}`.execute(transaction);
  const { reserved = 0, pending_id = null, count = 0 } = rows[0] ?? {};
  return { refundableCents: amount_cents - reserved, pendingId: pending_id, count };
}
