import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { type Listing, orderOfPage, type Place, pageOf, pageQuery, planPage } from "@beatmarket/http/listing/seek.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { erasedName } from "../users/profile.ts";
import { type Order, type OrderStatus, type OrderWithPayment, orderColumns, orderWithPaymentColumns } from "./order.ts";

/** Returns an order of the account. Throws 404 for an unknown id and for an order of another account. */
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

/** Returns an order of the account with its payment. Throws 404 like `findOrder`. */
export async function findOrderWithPayment(db: Queryable, userId: number, id: number): Promise<OrderWithPayment> {
  const order = await selectOrdersWithPayment(db).where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
  if (order === undefined) throw notFound(`You have no order ${id}.`);
  return order;
}

/** Returns the order of a payment key, and undefined for a key of another database. */
export const findOrderByPaymentKey = (db: Queryable, paymentKey: string): Promise<OrderWithPayment | undefined> =>
  selectOrdersWithPayment(db).where("payment_key", "=", paymentKey).executeTakeFirst();

/** Returns the orders of a payment at the provider. Returns none for a payment of another database. */
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

/** Returns one page of the account's orders, newest first. */
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

/**
 * Returns the exact total: `order_counts` plus the orders that are not tallied yet, which are queued or pending. Does
 * not scan all orders of the account.
 */
async function countOrders(db: Queryable, { userId, status }: OrdersRequest): Promise<number> {
  const hasStatus = status === undefined ? sql`` : sql`and status = ${status}`;
  const { rows } = await sql<{ count: number }>`
    select coalesce((select sum(count) from order_counts where user_id = ${userId} ${hasStatus}), 0)::bigint
      + (select count(*) from orders_to_tally where user_id = ${userId} ${hasStatus})
      + (select count(*) from orders where user_id = ${userId} and not tallied ${hasStatus}) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A license of a beat that an account has, or whose payment is pending. */
export interface OwnedLicense {
  license_type: LicenseType;
  order_id: number;
  status: "completed" | "pending";
}

/**
 * Returns for each license type the newest completed order of the beat, or else the newest pending one. Ignores orders
 * that failed or were refunded in full.
 */
export async function findOwned(db: Queryable, userId: number, beatId: number): Promise<OwnedLicense[]> {
  const { rows } = await sql<OwnedLicense>`
    select distinct on (license_type) license_type, id as order_id, status from orders
    where user_id = ${userId} and beat_id = ${beatId} and status <> 'failed'
      and (refunded_at is null or refunded_cents < amount_cents)
    order by license_type, status = 'pending', id desc`.execute(db);
  return rows;
}

/** Returns whether a user has a pending order. The account of such a user cannot be erased. */
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

/** Removes the name of an erased user from the user's orders. */
export async function eraseBuyer(transaction: Queryable, userId: number): Promise<void> {
  await transaction
    .updateTable("orders")
    .set({ buyer_name: erasedName })
    .where("user_id", "=", userId)
    .where("buyer_name", "is not", null)
    .execute();
}
