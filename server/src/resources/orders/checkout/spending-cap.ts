import { ApiError } from "@beatmarket/foundation/errors.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";

/** The key that places an order. */
export interface OrderingKey {
  id: number;
  /** The amount that the key may spend in 30 days; undefined for no cap. */
  spendingCapCents?: number | undefined;
}

const windowDays = 30;

/** Serializes the orders of one key, so that together they stay within its cap. Does nothing without a cap. */
export async function lockSpending(transaction: Queryable, key: OrderingKey | undefined): Promise<void> {
  if (key?.spendingCapCents === undefined) return;
  await transaction.selectFrom("api_keys").select("id").where("id", "=", key.id).forNoKeyUpdate().execute();
}

/**
 * Throws 403 if the key's orders of the last 30 days exceed the cap, including the one that this transaction has
 * inserted. Failed orders and refunded amounts do not count. Requires `lockSpending`.
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
  const left = formatAmount(Math.max(0, key.spendingCapCents - (spent - order.amount_cents)), order.currency);
  throw new ApiError(
    403,
    "forbidden",
    "Spending cap reached",
    `This API key may spend ${cap} in ${windowDays} days, and ${left} of it is left. Nothing was charged: raise the key's spending cap in the developer portal, under API keys, or buy with another key.`,
    { refusedBy: "spending-cap" },
  );
}
