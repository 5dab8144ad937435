import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

const keptYears = 3;

/** Deletes messages about orders that are too old for any claim. */
export async function deleteOldContacts(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now);
  before.setUTCFullYear(before.getUTCFullYear() - keptYears);
  await sql`delete from order_messages where created_at < ${before}::timestamptz`.execute(db);
  await sql`delete from refund_requests where created_at < ${before}::timestamptz`.execute(db);
}

/**
 * Erases the texts of a user, as buyer and as producer. Call it before the address is erased. A refund request keeps
 * its reason and state, which explain a payment.
 */
export async function eraseContacts(transaction: Queryable, userId: number): Promise<void> {
  const orderIds = sql`select orders.id from orders where user_id = ${userId}
    union select orders.id from checkouts join orders on orders.checkout_key = checkouts.payment_key
    where checkouts.email = (select email from users where id = ${userId})`;
  await sql`update order_messages set text = null where author = 'buyer' and order_id in (${orderIds})`.execute(
    transaction,
  );
  await sql`update refund_requests set details = null where order_id in (${orderIds})`.execute(transaction);
  await sql`update order_messages set text = null where author = 'producer'
    and order_id in (select id from orders where producer_id = ${userId})`.execute(transaction);
}
