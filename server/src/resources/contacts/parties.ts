import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { NewMail } from "../mails/outbox.ts";
import type { Order } from "../orders/order.ts";

/** The fields of an order that messages between buyer and producer need. */
export interface ContactOrder
  extends Pick<
    Order,
    | "id"
    | "user_id"
    | "title"
    | "producer_id"
    | "producer_name"
    | "amount_cents"
    | "currency"
    | "status"
    | "refunded_cents"
    | "refunded_at"
  > {
  checkout_key: string | null;
}

/**
 * Restricts an order to this buyer or producer. Empty for an operator, or for a caller whose link was checked already.
 */
export interface Party {
  buyerId?: number;
  producerId?: number;
}

export const contactOrders = (db: Queryable) =>
  db
    .selectFrom("orders")
    .select([
      "orders.id",
      "orders.user_id",
      "orders.title",
      "orders.producer_id",
      "orders.producer_name",
      "orders.amount_cents",
      "orders.currency",
      "orders.status",
      "orders.refunded_cents",
      "orders.refunded_at",
      "orders.checkout_key",
    ])
    .$narrowType<Pick<Order, "status">>();

/**
 * Finds an order of a party. Throws 404 for an order of other parties, and for a producer's order that is not
 * completed.
 */
export async function findContactOrder(db: Queryable, id: number, party: Party): Promise<ContactOrder> {
  let query = contactOrders(db).where("orders.id", "=", id);
  if (party.buyerId !== undefined) query = query.where("orders.user_id", "=", party.buyerId);
  if (party.producerId !== undefined)
    query = query.where("orders.producer_id", "=", party.producerId).where("orders.status", "=", "completed");
  const order = await query.executeTakeFirst();
  if (order === undefined) throw notFound(`You have no order ${id}.`);
  return order;
}

/** Throws 409 for an order that is not completed. */
export function requireBought(order: ContactOrder, allowedAction: string): void {
  if (order.status === "completed") return;
  throw conflict(`Order ${order.id} is ${order.status}: ${allowedAction} once it is paid and its status is completed.`);
}

type MailRecipient = Pick<NewMail, "userId" | "to">;

/**
 * Returns the buyer with the e-mail address of the receipt, or else of the account. Returns an empty list if neither
 * exists.
 */
export async function buyerOf(db: Queryable, order: ContactOrder): Promise<MailRecipient[]> {
  const { rows } = await sql<{ email: string | null }>`
    select coalesce((select email from checkouts where payment_key = ${order.checkout_key}), users.email) as email
    from users where id = ${order.user_id}`.execute(db);
  const email = rows[0]?.email;
  return email === null || email === undefined ? [] : [{ userId: order.user_id, to: email }];
}

/**
 * Returns the producer, or the owners and developers of a producer that is an organisation. Returns an empty list for
 * an imported producer without an account.
 */
export async function producersOf(db: Queryable, { producer_id }: ContactOrder): Promise<MailRecipient[]> {
  const { rows } = await sql<{ id: number; email: string }>`
    select id, email from users
    where email is not null and (id = ${producer_id}
      or id in (select user_id from organisation_members where organisation_id = ${producer_id} and role in ('owner', 'developer')))
    order by id`.execute(db);
  return rows.map(({ id, email }) => ({ userId: id, to: email }));
}
