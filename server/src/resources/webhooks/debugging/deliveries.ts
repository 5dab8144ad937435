import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { notFound } from "../../../errors.ts";
import type { Reader } from "../endpoints/endpoint.ts";
import { firstEventId } from "../events/event-id.ts";
import { type EventType, eventTypes } from "../events/event-types.ts";

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
  lastAttemptAt: Date | null;
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

/** Resending adds attempts without end; so many are shown. */
const maxHistory = 50;

const columns = sql`
  delivery.id, delivery.endpoint_id as "endpointId", delivery.event_id as "eventId", events.type, delivery.state,
  delivery.attempts, delivery.next_attempt_at as "nextAttemptAt", delivery.created_at as "createdAt",
  last.status as "lastStatus",
  last.attempted_at as "lastAttemptAt", last.error as "lastError"`;

const sources = sql`
  webhook_deliveries delivery
  join events on events.id = delivery.event_id
  left join lateral (
    select status, attempted_at, error from webhook_attempts where delivery_id = delivery.id order by id desc limit 1
  ) last on true`;

/** Which deliveries of an endpoint to list; what is absent filters nothing. */
export interface DeliveryFilter {
  states?: readonly DeliveryState[] | undefined;
  types?: readonly EventType[] | undefined;
  /** Of events from then on. */
  from?: Date | undefined;
  /** Of events before then. */
  to?: Date | undefined;
}

/** Where a page begins: behind or before the delivery of an event. */
export type DeliveryCursor = { olderThan: string } | { newerThan: string } | undefined;

/** Newest event first; the cursors of the pages beside it, null where there is none. */
export interface DeliveryPage {
  deliveries: Delivery[];
  newer: string | null;
  older: string | null;
}

/**
 * A page of an endpoint's deliveries. Its cost depends neither on how many there are nor on what the filter leaves out:
 * `webhook_deliveries_listed` has the first of each state and type.
 */
export async function pageDeliveries(
  db: Queryable,
  endpointId: number,
  { limit, cursor, ...filter }: DeliveryFilter & { limit: number; cursor: DeliveryCursor },
): Promise<DeliveryPage> {
  const isUpward = cursor !== undefined && "newerThan" in cursor;
  const found = await selectDeliveries(db, endpointId, filter, cursor, limit + 1);
  const deliveries = found.slice(0, limit);
  const hasMore = found.length > limit;
  if (isUpward) deliveries.reverse();
  // Whoever goes up and finds less than a page has reached the newest.
  if (isUpward && !hasMore) return pageDeliveries(db, endpointId, { limit, cursor: undefined, ...filter });
  const [first, last] = [deliveries[0]?.eventId ?? null, deliveries.at(-1)?.eventId ?? null];
  if (isUpward) return { deliveries, newer: first, older: last };
  return { deliveries, newer: cursor === undefined ? null : first, older: hasMore ? last : null };
}

/** The newest deliveries of an endpoint, newest event first. */
export const listDeliveries = (
  db: Queryable,
  endpointId: number,
  { limit, ...filter }: DeliveryFilter & { limit: number },
): Promise<Delivery[]> => selectDeliveries(db, endpointId, filter, undefined, limit);

async function selectDeliveries(
  db: Queryable,
  endpointId: number,
  { states, types, from, to }: DeliveryFilter,
  cursor: DeliveryCursor,
  limit: number,
): Promise<Delivery[]> {
  const isUpward = cursor !== undefined && "newerThan" in cursor;
  const order = isUpward ? sql`asc` : sql`desc`;
  const after = latest(from && firstEventId(from.getTime()), isUpward ? cursor.newerThan : undefined);
  const before = earliest(to && firstEventId(to.getTime()), cursor && !isUpward ? cursor.olderThan : undefined);
  const matches = (more: RawBuilder<unknown>) => sql`
    select id, event_id from webhook_deliveries
    where endpoint_id = ${endpointId} and event_id > ${after} and event_id < ${before} ${more}
    order by event_id ${order} limit ${limit}`;
  const isFiltered = states !== undefined || types !== undefined;
  const page = isFiltered
    ? sql`
        select matching.id, matching.event_id
        from unnest(${states ?? deliveryStates}::text[]) as wanted (state)
        cross join unnest(${types ?? [...eventTypes, untyped]}::text[]) as typed (type)
        cross join lateral (${matches(sql`and state = wanted.state and type = typed.type`)}) matching
        order by matching.event_id ${order} limit ${limit}`
    : matches(sql``);
  const { rows } = await sql<Delivery>`
    with page as materialized (${page})
    select ${columns} from ${sources} join page on page.id = delivery.id
    order by delivery.event_id ${order}`.execute(db);
  return rows;
}

/** What deliveries of instances from before the column have for a type. */
const untyped = "";

const latest = (...ids: (string | undefined)[]): string => ids.reduce<string>((a, b) => (b && b > a ? b : a), "");
const earliest = (...ids: (string | undefined)[]): string => ids.reduce<string>((a, b) => (b && b < a ? b : a), "~");

/** A delivery with its body and its newest attempts, oldest of them first. 404 where the actor has no such delivery. */
export async function findDelivery(
  db: Queryable,
  id: number,
  actor: Reader,
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
    .orderBy("id", "desc")
    .limit(maxHistory)
    .execute();
  return { ...delivery, history: history.reverse() };
}

/** How many deliveries of an endpoint wait, were given up, and were skipped while it was disabled. */
export async function countUndelivered(
  db: Queryable,
  endpointId: number,
): Promise<{ pending: number; failed: number; skipped: number }> {
  const counted = (state: DeliveryState) => countedState(sql`${endpointId}`, state, Number.MAX_SAFE_INTEGER);
  const { rows } = await sql<{ pending: number; failed: number; skipped: number }>`
    select ${counted("pending")} as pending, ${counted("failed")} as failed, ${counted("skipped")} as skipped`.execute(
    db,
  );
  return rows[0] ?? { pending: 0, failed: 0, skipped: 0 };
}

/** How a delivery stands, told apart further: one that waits after a failure is retrying. */
export const outcomes = [...deliveryStates, "retrying"] as const;
type Outcome = (typeof outcomes)[number];

/** How deliveries to an endpoint go, at a glance. */
export interface Glance {
  /** Of its newest deliveries, newest first. */
  recent: Outcome[];
  /** How many of these were attempted, and of them how many succeeded. */
  attempted: number;
  succeeded: number;
  /** Each counted up to the bound that was given. */
  pending: number;
  failed: number;
  skipped: number;
}

/** A glance at each endpoint: its `newest` deliveries, and counts up to `atMost`. */
export async function glanceAt(
  db: Queryable,
  endpointIds: readonly number[],
  { newest, atMost }: { newest: number; atMost: number },
): Promise<Map<number, Glance>> {
  const counted = (state: DeliveryState) => countedState(sql.ref("endpoint.id"), state, atMost);
  const { rows } = await sql<Glance & { id: number }>`
    select endpoint.id, glance.recent, glance.attempted, glance.succeeded,
           ${counted("pending")} as pending, ${counted("failed")} as failed, ${counted("skipped")} as skipped
    from unnest(${endpointIds}::bigint[]) as endpoint (id)
    cross join lateral (
      select coalesce(array_agg(
               case when state = 'pending' and attempts > 0 then 'retrying' else state end order by event_id desc
             ), '{}') as recent,
             count(*) filter (where attempts > 0) as attempted,
             count(*) filter (where attempts > 0 and state = 'succeeded') as succeeded
      from (
        select state, attempts, event_id from webhook_deliveries where endpoint_id = endpoint.id
        order by event_id desc limit ${newest}
      ) newest
    ) glance`.execute(db);
  return new Map(rows.map(({ id, ...glance }) => [id, glance]));
}

const countedState = (endpointId: RawBuilder<unknown>, state: DeliveryState, atMost: number) => sql<number>`(
  select count(*) from (
    select from webhook_deliveries where endpoint_id = ${endpointId} and state = ${sql.lit(state)} limit ${atMost}
  ) counted)`;
