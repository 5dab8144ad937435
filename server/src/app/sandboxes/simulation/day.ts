import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";

const dayMs = 86_400_000;
/** Refunds happen this many days after the order. */
const refundAfterDays = 3;
/** A buyer's bank takes a payment back after this many days, and decides the dispute `disputeTakesDays` later. */
const disputeAfterDays = 10;
const disputeTakesDays = 30;
/** After this many days, a bank reports whether a payout arrived. */
const payoutTakesDays = 2;

/** The beats that buyers can buy, and whether a receiver gets the events. */
export interface Offer {
  /** The beats on sale. */
  beats: number[];
  /** Whether events are sent to a webhook receiver. */
  isHeard: boolean;
}

/** An open dispute: its order, and when it was opened. */
export interface OpenDispute {
  orderId: number;
  openedAtMs: number;
}

/** The orders, disputes and payouts that banks and buyers may act on at the beginning of a day, by ascending ids. */
export interface Day extends Pick<Offer, "isHeard"> {
  /**
   * Orders of simulated buyers that may be refunded. The refund of an exclusive license puts its beat on sale again.
   */
  refundable: { id: number; isExclusive: boolean }[];
  /** Orders of simulated buyers whose payment may be taken back. */
  disputable: number[];
  /** Open disputes that are due for a decision. */
  decided: OpenDispute[];
  /** Payouts whose outcome is due to be reported. */
  payouts: number[];
}

const isHeard = sql`exists(select from webhook_endpoints where state = 'enabled' and kind <> 'listen') as "isHeard"`;

export async function readOffer(db: Queryable): Promise<Offer> {
  // Only a statement with a parameter is prepared, so that it is not planned at each call.
  const { rows } = await sql<Offer>`
    select array(select id from beats where is_listed order by id) as beats, ${isHeard} where ${true}::boolean`.execute(
    db,
  );
  return rows[0] as Offer;
}

/** Reads all lists in one statement: most days have few entries, so the number of statements determines the cost. */
export async function readDay(db: Queryable, buyers: readonly number[], now: Date): Promise<Day> {
  const ago = (days: number): Date => new Date(now.getTime() - days * dayMs);
  const ofDay = (days: number) => sql`
    status = 'completed' and user_id = any(${buyers}::bigint[])
      and created_at >= ${ago(days + 1)}::timestamptz and created_at < ${ago(days)}::timestamptz`;
  const { rows } = await sql<Day>`
    select ${isHeard},
      (
        select coalesce(json_agg(json_build_object('id', id, 'isExclusive', license_type = 'exclusive') order by id), '[]')
        from orders where ${ofDay(refundAfterDays)}) as refundable,
      array(
        select id from orders where ${ofDay(disputeAfterDays)} and amount_cents > 0
          and not exists (select from refunds where order_id = orders.id and status <> 'failed')
          and not exists (select from disputes where order_id = orders.id) order by id) as disputable,
      (
        select coalesce(json_agg(json_build_object('orderId', order_id, 'openedAtMs', extract(epoch from opened_at) * 1000)
          order by order_id), '[]')
        from disputes where status = 'open' and opened_at <= ${ago(disputeTakesDays)}::timestamptz) as decided,
      array(
        select id from payouts where status = 'sent' and sent_at <= ${ago(payoutTakesDays)}::timestamptz
        order by id) as payouts`.execute(db);
  return rows[0] as Day;
}
