import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { type Listing, orderOfPage, type Place, pageOf, pageQuery, planPage } from "@beatmarket/http/listing/seek.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { LicenseType } from "../beats/licensing/licenses.ts";
import { erasedName } from "../users/erase.ts";
import { type Order, type OrderStatus, type OrderWithPayment, orderColumns, orderWithPaymentColumns } from "./order.ts";

/** One of the account's orders. Throws 404 if it does not exist or belongs to another account. */
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

/** One of the account's orders with its payment. Throws 404 like `findOrder`. */
export async function findOrderWithPayment(db: Queryable, userId: number, id: number): Promise<OrderWithPayment> {
  const order = await selectOrdersWithPayment(db).where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
  if (order === undefined) throw notFound(`You have no order ${id}.`);
  return order;
}

/** Finds the order of a payment provider's notification; undefined if it belongs to another database. */
export const findOrderByPaymentKey = (db: Queryable, paymentKey: string): Promise<OrderWithPayment | undefined> =>
  selectOrdersWithPayment(db).where("payment_key", "=", paymentKey).executeTakeFirst();

/** The orders of a payment at the provider, to which a refund or dispute refers. None if it belongs to another database. */
export const findOrdersByPaymentReference = (
  db: Queryable,
  provider: string,
  reference: string,
): Promise<OrderWithPayment[]> =>
  selectOrdersWithPayment(db)
    .where("payment_reference", "=", reference)
    .where("payment_provider", "=", provider)
    .orderBy("id")
    .execute();

export const selectOrdersWithPayment = (db: Queryable) =>
  db.selectFrom("orders").select(orderWithPaymentColumns).$narrowType<OrderWithPayment>();

export interface OrdersRequest {
  userId: number;
  status?: OrderStatus | undefined;
  page: number;
  limit: number;
  after?: string | undefined;
}

/** One page of the account's orders, newest first. */
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
  const rows = await db
    .selectFrom("orders")
    .innerJoin(sql<Place>`(${pageQuery(plan, total)})`.as("page"), (join) => join.onRef("page.id", "=", "orders.id"))
    .select([...orderColumns, "page.key as page_key"])
    .$narrowType<Pick<Order, "license_type" | "status">>()
    .orderBy(orderOfPage(plan))
    .execute();
  return pageOf(plan, rows, total, (row) => row.page_key);
}

/** The exact total: `order_counts` plus the orders not yet tallied, without scanning all of the account's orders. */
async function countOrders(db: Queryable, { userId, status }: OrdersRequest): Promise<number> {
  const hasStatus = status === undefined ? sql`` : sql`and status = ${status}`;
  const { rows } = await sql<{ count: number }>`
    select coalesce((select sum(count) from order_counts where user_id = ${userId} ${hasStatus}), 0)::bigint
      + (select count(*) from orders where user_id = ${userId} and not tallied ${hasStatus}) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A license of a beat that an account has, or is paying for. */
export interface OwnedLicense {
  license_type: LicenseType;
  order_id: number;
  status: "completed" | "pending";
}

/** The newest order of each license of the beat that is neither failed nor refunded in full. */
export async function findOwned(db: Queryable, userId: number, beatId: number): Promise<OwnedLicense[]> {
  const { rows } = await sql<OwnedLicense>`
    select distinct on (license_type) license_type, id as order_id, status from orders
    where user_id = ${userId} and beat_id = ${beatId} and status <> 'failed'
      and (refunded_at is null or refunded_cents < amount_cents)
    order by license_type, status = 'pending', id desc`.execute(db);
  return rows;
}

/** Whether a payment of a user is not final. Its outcome would be written with the user's name. */
export async function hasPendingOrder(db: Queryable, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where("user_id", "=", userId)
    .where("status", "=", "pending")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes the name of a user who is erased from the user's orders. */
export async function eraseBuyer(transaction: Queryable, userId: number): Promise<void> {
  await transaction
    .updateTable("orders")
    .set({ buyer_name: erasedName })
    .where("user_id", "=", userId)
    .where("buyer_name", "is not", null)
    .execute();
}
