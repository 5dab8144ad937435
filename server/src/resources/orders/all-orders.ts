import { notFound } from "@beatmarket/foundation/errors.ts";
import type { DisputeState } from "@beatmarket/payments/provider.ts";
import { containing, hasTrigram, maxMatches } from "@beatmarket/postgres/text-parts.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type OrderStatus, type OrderWithPayment, orderWithPaymentColumns } from "./order.ts";
import { type Refund, selectRefunds } from "./refunds/refund.ts";

// The orders of all accounts, for operators.

export interface OrderWithBuyer extends OrderWithPayment {
  buyer_email: string | null;
}

export interface OrderDispute {
  reference: string;
  amount_cents: number;
  reason: string;
  status: DisputeState["status"];
  /** Whether the provider has withdrawn the money. */
  is_withdrawn: boolean;
  opened_at: Date;
  /** Null while the dispute is open. */
  closed_at: Date | null;
}

/** Returns an order with its refunds and disputes. Throws 404 for an unknown id. */
export async function describeOrder(
  db: Queryable,
  id: number,
): Promise<{ order: OrderWithBuyer; refunds: Refund[]; disputes: OrderDispute[] }> {
  const order = await selectOrdersWithBuyer(db).where("orders.id", "=", id).executeTakeFirst();
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

/** Selects the orders of a list. An absent field does not filter. */
export interface OrdersFilter {
  /** The buyer's e-mail address, in upper or lower case. */
  email?: string | undefined;
  buyerId?: number | undefined;
  producerId?: number | undefined;
  status?: OrderStatus | undefined;
  /**
   * The provider's id of the payment, the producer's username, or a part of the producer's name or of the beat's title
   * at the time of sale. Only the id distinguishes upper and lower case.
   */
  text?: string | undefined;
}

/** Returns the newest orders with ids below `beforeId`. */
export function listAllOrders(
  db: Queryable,
  filter: OrdersFilter & { beforeId?: number | undefined; limit: number },
): Promise<OrderWithBuyer[]> {
  const { email, buyerId, producerId, status, text, beforeId, limit } = filter;
  let orders = selectOrdersWithBuyer(db).orderBy("orders.id", "desc").limit(limit);
  if (email !== undefined) orders = orders.where("users.email", "=", email.toLowerCase());
  if (buyerId !== undefined) orders = orders.where("orders.user_id", "=", buyerId);
  if (producerId !== undefined) orders = orders.where("orders.producer_id", "=", producerId);
  // The ids become an array first. With a join, PostgreSQL would plan for the largest possible number of matches and
  // read all orders.
  if (text !== undefined)
    orders = orders.where(
      sql<boolean>`orders.id = any (array(select id from (${selectMatchingIds(text, beforeId)}) as found))`,
    );
  if (beforeId !== undefined) orders = orders.where("orders.id", "<", beforeId);
  if (status !== undefined) orders = orders.where("orders.status", "=", status);
  return orders.execute();
}

/**
 * Selects the ids of orders that match the text (`OrdersFilter`). Each kind of match uses a different index. Matches of
 * the title, the producer's name and the username are limited to the newest `maxMatches` each. If the text is too short
 * for an index, titles and names are searched only in the newest `maxMatches` orders.
 */
function selectMatchingIds(text: string, beforeId: number | undefined): RawBuilder<unknown> {
  const before = beforeId === undefined ? sql`` : sql`and orders.id < ${beforeId}`;
  const newest = sql`order by orders.id desc limit ${maxMatches}`;
  const pattern = containing(text);
  const parts = hasTrigram(text)
    ? sql`(select id from orders where title ilike ${pattern} ${before} ${newest})
      union (select id from orders where producer_name ilike ${pattern} ${before} ${newest})`
    : sql`(select id from (select id, title, producer_name from orders where true ${before} ${newest}) as orders
        where title ilike ${pattern} or producer_name ilike ${pattern})`;
  return sql`${parts}
    union (select id from orders where payment_reference = ${text})
    union (select orders.id from orders, (select id as producer from users where username = ${text.toLowerCase()} limit 1) as named
      where producer_id = named.producer ${before} ${newest})`;
}

const selectOrdersWithBuyer = (db: Queryable) =>
  db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select([...orderWithPaymentColumns, "users.email as buyer_email"])
    .$narrowType<Pick<OrderWithPayment, "license_type" | "status">>();
