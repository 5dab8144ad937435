import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../database/connect.ts";
import { type OrderStatus, type OrderWithPayment, orderWithPaymentColumns } from "./order.ts";
import type { DisputeState } from "./provider.ts";
import { type Refund, selectRefunds } from "./refunds/refund.ts";

// The orders of all accounts, as their operator sees them.

export interface BuyersOrder extends OrderWithPayment {
  buyer_email: string | null;
}

export interface OrderDispute {
  reference: string;
  amount_cents: number;
  reason: string;
  status: DisputeState["status"];
  is_withdrawn: boolean;
  opened_at: Date;
  closed_at: Date | null;
}

/** An order with what was paid back of it. Throws 404 for an unknown one. */
export async function describeOrder(
  db: Queryable,
  id: number,
): Promise<{ order: BuyersOrder; refunds: Refund[]; disputes: OrderDispute[] }> {
  const order = await selectBuyersOrders(db).where("orders.id", "=", id).executeTakeFirst();
  if (order === undefined) throw notFound(`Order ${id} does not exist.`);
  const refunds = await selectRefunds(db).where("order_id", "=", id).orderBy("id").execute();
  const disputes = await db
    .selectFrom("disputes")
    .select(["reference", "amount_cents", "reason", "status", "is_withdrawn", "opened_at", "closed_at"])
    .$narrowType<Pick<OrderDispute, "status">>()
    .where("order_id", "=", id)
    .orderBy("opened_at")
    .execute();
  return { order, refunds, disputes };
}

/** Which orders to list. An absent field does not filter. */
export interface OrdersFilter {
  /** The buyer's address, in any case. */
  email?: string | undefined;
  buyerId?: number | undefined;
  status?: OrderStatus | undefined;
  /** The payment's id, a part of the beat's title as it was sold, or of the producer's name, in any case. */
  text?: string | undefined;
}

/** The newest orders with ids below `beforeId`. */
export function listAllOrders(
  db: Queryable,
  { email, buyerId, status, text, beforeId, limit }: OrdersFilter & { beforeId?: number | undefined; limit: number },
): Promise<BuyersOrder[]> {
  let orders = selectBuyersOrders(db).orderBy("orders.id", "desc").limit(limit);
  if (email !== undefined) orders = orders.where("users.email", "=", email.toLowerCase());
  if (buyerId !== undefined) orders = orders.where("orders.user_id", "=", buyerId);
  if (text !== undefined) {
    const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
    orders = orders.where(({ eb, or }) =>
      or([
        eb("orders.payment_reference", "=", text),
        eb("orders.title", "ilike", pattern),
        eb("orders.producer_name", "ilike", pattern),
        eb("orders.producer_id", "in", eb.selectFrom("users").select("id").where("username", "=", text.toLowerCase())),
      ]),
    );
  }
  if (beforeId !== undefined) orders = orders.where("orders.id", "<", beforeId);
  if (status !== undefined) orders = orders.where("orders.status", "=", status);
  return orders.execute();
}

const selectBuyersOrders = (db: Queryable) =>
  db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select([...orderWithPaymentColumns, "users.email as buyer_email"])
    .$narrowType<Pick<OrderWithPayment, "license_type" | "status">>();
