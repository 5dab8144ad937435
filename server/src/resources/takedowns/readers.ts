import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { Reader } from "../users/producer-readers.ts";

export interface BuyerOfBeat extends Reader {
  order_id: number;
}

/** The buyers whose orders of a beat are not refunded in full, one for each order, with the address of the receipt. */
export async function buyersOf(db: Queryable, beatId: number): Promise<BuyerOfBeat[]> {
  const { rows } = await sql<BuyerOfBeat>`
    select orders.id as order_id, users.id as "userId", coalesce(checkouts.email, users.email) as "to"
    from orders join users on users.id = orders.user_id left join checkouts on checkouts.payment_key = orders.checkout_key
    where orders.beat_id = ${beatId} and orders.status = 'completed'
      and not (refunded_at is not null and refunded_cents = orders.amount_cents)
      and coalesce(checkouts.email, users.email) is not null
    order by orders.id`.execute(db);
  return rows;
}
