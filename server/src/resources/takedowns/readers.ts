import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

export interface Reader {
  userId: number;
  to: string;
}

/** Of the mails about a beat: the producer, or the members of an organisation that may edit beats. None of one that nobody has claimed. */
export async function producersOf(db: Queryable, producerId: number): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    select id as "userId", email as "to" from users
    where email is not null and (id = ${producerId} or id in (
      select user_id from organisation_members where organisation_id = ${producerId} and role in ('owner', 'developer')))
    order by id`.execute(db);
  return rows;
}

export interface BuyerOfBeat extends Reader {
  order_id: number;
}

/** Who has bought a license of a beat and was not paid back in full, one for each order: at the address of the receipt. */
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
