import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { notFound } from "../../errors.ts";
import type { Actor } from "./endpoint.ts";

export const deliveryStates = ["pending", "sending", "succeeded", "failed", "skipped"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** One event on its way to one endpoint. */
export interface Delivery {
  id: number;
  endpointId: number;
  eventId: string;
  type: string;
  state: DeliveryState;
  /** Since it was last put into the queue. */
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** Of the last attempt; null without one and without an answer. */
  lastStatus: number | null;
  /** Of the last attempt, in words; null when it succeeded. */
  lastError: string | null;
}

/** An attempt as it was written down. */
export interface PastAttempt {
  id: number;
  attempted_at: Date;
  status: number | null;
  duration_ms: number;
  error: string | null;
  /** The first 20 kB of the answer. */
  answer: string;
}

const columns = sql`
  delivery.id, delivery.endpoint_id as "endpointId", delivery.event_id as "eventId", events.type, delivery.state,
  delivery.attempts, delivery.next_attempt_at as "nextAttemptAt", delivery.created_at as "createdAt",
  last.status as "lastStatus", last.error as "lastError"`;

const sources = sql`
  webhook_deliveries delivery
  join events on events.id = delivery.event_id
  left join lateral (
    select status, error from webhook_attempts where delivery_id = delivery.id order by id desc limit 1
  ) last on true`;

/** An endpoint's deliveries, newest event first: `limit` of them, those of events older than `beforeEventId`. */
export async function listDeliveries(
  db: Queryable,
  endpointId: number,
  { limit, beforeEventId, state }: { limit: number; beforeEventId?: string; state?: DeliveryState },
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select ${columns} from ${sources}
    where delivery.endpoint_id = ${endpointId} and delivery.event_id < ${beforeEventId ?? "~"}
      ${state === undefined ? sql`` : sql`and delivery.state = ${state}`}
    order by delivery.event_id desc limit ${limit}`.execute(db);
  return rows;
}

/** A delivery with its body and its attempts, oldest first. 404 where the actor has no such delivery. */
export async function findDelivery(
  db: Queryable,
  id: number,
  actor: Actor,
): Promise<Delivery & { payload: string; history: PastAttempt[] }> {
  const { rows } = await sql<Delivery & { payload: string }>`
    select ${columns}, events.payload from ${sources}
    join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
    where delivery.id = ${id} ${actor === "operator" ? sql`` : sql`and endpoint.user_id = ${actor.ownerId}`}`.execute(
    db,
  );
  const delivery = rows[0];
  if (delivery === undefined) throw notFound(`There is no webhook delivery ${id}.`);
  const history = await db
    .selectFrom("webhook_attempts")
    .select(["id", "attempted_at", "status", "duration_ms", "error", "answer"])
    .where("delivery_id", "=", id)
    .orderBy("id")
    .execute();
  return { ...delivery, history };
}

/** How many deliveries of an endpoint wait, were given up, and were skipped while it was disabled. */
export async function countUndelivered(
  db: Queryable,
  endpointId: number,
): Promise<{ pending: number; failed: number; skipped: number }> {
  const { rows } = await sql<{ pending: number; failed: number; skipped: number }>`
    select (select count(*) from webhook_deliveries where endpoint_id = ${endpointId} and state = 'pending') as pending,
           count(*) filter (where state = 'failed') as failed,
           count(*) filter (where state = 'skipped') as skipped
    from webhook_deliveries where endpoint_id = ${endpointId} and state in ('failed', 'skipped')`.execute(db);
  return rows[0] ?? { pending: 0, failed: 0, skipped: 0 };
}
