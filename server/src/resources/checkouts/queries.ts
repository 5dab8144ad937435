import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../database/connect.ts";
import { findDiscounts } from "../discounts/find-rules.ts";
import { type Order, orderColumns } from "../orders/order.ts";
import { type Checkout, type CheckoutItem, type CheckoutWithItems, checkoutColumns } from "./checkout.ts";

export const selectCheckouts = (db: Queryable) =>
  db.selectFrom("checkouts").select(checkoutColumns).$narrowType<Pick<Checkout, "status">>();

/** One of the account's checkouts. Throws 404 for an unknown checkout or another account's. */
export async function findCheckout(db: Queryable, userId: number, id: number): Promise<CheckoutWithItems> {
  const checkout = await selectCheckouts(db).where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
  if (checkout === undefined) throw notFound(`You have no checkout ${id}.`);
  return withItems(db, checkout);
}

/** Finds the checkout of a payment key; undefined for an unknown key. */
export async function findCheckoutByKey(db: Queryable, paymentKey: string): Promise<CheckoutWithItems | undefined> {
  const checkout = await selectCheckouts(db).where("payment_key", "=", paymentKey).executeTakeFirst();
  return checkout && withItems(db, checkout);
}

export async function withItems(db: Queryable, checkout: Checkout): Promise<CheckoutWithItems> {
  // The payment creates the orders and ends the checkout.
  const orders = checkout.status === "open" ? [] : await findOrders(db, checkout);
  return {
    ...checkout,
    items: await findItems(db, checkout.id),
    discounts: await findDiscounts(db, checkout.id),
    orders,
  };
}

/** The items of a checkout, in the order of the request. */
export const findItems = (db: Queryable, checkoutId: number): Promise<CheckoutItem[]> =>
  db
    .selectFrom("checkout_items")
    .select([
      "beat_id",
      "license_type",
      "amount_cents",
      "discount_cents",
      "title",
      "producer_name",
      "order_id",
      "license_limits",
      "upgrades_license",
      "credit_cents",
    ])
    .$narrowType<Pick<CheckoutItem, "license_type" | "license_limits">>()
    .where("checkout_id", "=", checkoutId)
    .orderBy("position")
    .execute();

/** The orders that the payment of a checkout created, by id. The items may have another sequence. */
const findOrders = (db: Queryable, { payment_key }: Checkout): Promise<Order[]> =>
  db
    .selectFrom("orders")
    .select(orderColumns)
    .$narrowType<Pick<Order, "license_type" | "status">>()
    .where("checkout_key", "=", payment_key)
    .orderBy("id")
    .execute();
