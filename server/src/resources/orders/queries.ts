import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { notFound } from "../../errors.ts";
import type { Page } from "../../listing/page.ts";
import { type Listing, type Place, pageOf, pageQuery, planPage } from "../../listing/seek.ts";
import { type Order, type OrderStatus, orderColumns, type PaidOrder, paidOrderColumns } from "./order.ts";

/** The account's own order; throws notFound, also for an order of somebody else. */
export async function findOrder(db: Queryable, userId: number, id: number): Promise<Order> {
  const order = await db
    .selectFrom("orders")
    .select(orderColumns)
    .$narrowType<Pick<Order, "license_type" | "status">>()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (order === undefined) throw notFound(`You have no order ${id}.`);
  return order;
}

/** The order that a payment provider speaks of; undefined for one of another database. */
export const findOrderByPaymentKey = (db: Queryable, paymentKey: string): Promise<PaidOrder | undefined> =>
  db
    .selectFrom("orders")
    .select(paidOrderColumns)
    .$narrowType<PaidOrder>()
    .where("payment_key", "=", paymentKey)
    .executeTakeFirst();

export interface OrdersRequest {
  userId: number;
  status?: OrderStatus | undefined;
  page: number;
  limit: number;
  after?: string | undefined;
}

/** One page of the account's orders, newest first (contract 4.9). */
export async function listOrders(db: Queryable, request: OrdersRequest): Promise<Page<Order>> {
  const { userId, status } = request;
  const listing: Listing = {
    scope: `orders ${userId} ${status ?? ""}`,
    source: sql`from orders where user_id = ${userId} ${status === undefined ? sql`` : sql`and status = ${status}`}`,
    key: sql.ref("created_at"),
    keyType: "timestamptz",
    id: sql.ref("id"),
    direction: "desc",
  };
  const plan = planPage(listing, request);
  const total = await countOrders(db, request);
  const isDeep = plan.seek === null && (request.page - 1) * request.limit > total / 2;
  const page = isDeep ? fromTheEnd(listing, request, total) : pageQuery(plan, null);
  const direction = plan.seek?.direction === "backward" ? "asc" : "desc";
  const rows = await db
    .selectFrom("orders")
    .innerJoin(sql<Place>`(${page})`.as("page"), (join) => join.onRef("page.id", "=", "orders.id"))
    .select([...orderColumns, "page.key as page_key"])
    .$narrowType<Pick<Order, "license_type" | "status">>()
    .orderBy("page.key", direction)
    .orderBy("page.id", direction)
    .execute();
  return pageOf(plan, rows, total, (row) => row.page_key);
}

/** The rows `pageQuery` would give, for a page that is nearer to the oldest order than to the newest. */
function fromTheEnd({ source, key, id }: Listing, { page, limit }: OrdersRequest, total: number) {
  const position = (page - 1) * limit;
  const rows = Math.max(0, Math.min(limit + 1, total - position));
  return sql<Place>`select ${id} as id, ${key} as key ${source} order by ${key} asc, ${id} asc
    limit ${rows} offset ${Math.max(0, total - position - rows)}`;
}

/** Exact, without walking over all the account's orders (migration 0004, order_counts). */
async function countOrders(db: Queryable, { userId, status }: OrdersRequest): Promise<number> {
  const inState = status === undefined ? sql`` : sql`and status = ${status}`;
  const { rows } = await sql<{ count: number }>`
    select coalesce((select sum(count) from order_counts where user_id = ${userId} ${inState}), 0)::bigint
      + (select count(*) from orders where user_id = ${userId} and not tallied ${inState}) as count`.execute(db);
  return rows[0]?.count ?? 0;
}
