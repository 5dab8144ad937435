import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { isVisibleTo, type Principal } from "./endpoints/endpoints.ts";
import type { EventRules } from "./event-rules.ts";
import { firstEventId } from "./events/event-ids.ts";
import { tablesOf, type WebhookTables } from "./tables.ts";

export const deliveryStates = ["pending", "sending", "succeeded", "failed", "skipped"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The delivery of one event to one endpoint. */
export interface Delivery {
  id: number;
  endpointId: number;
  eventId: string;
  type: string;
  state: DeliveryState;
  /** The number of attempts since the delivery was created, or was last resent or replayed. */
  attempts: number;
  /** The number of attempts ever, counted up to `maxCountedAttempts`. */
  totalAttempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** The status of the last attempt; null without a response. */
  lastStatus: number | null;
  lastAttemptAt: Date | null;
  /** The error of the last attempt, as a sentence; null if the attempt succeeded. */
  lastError: string | null;
}

/** `answer` is the beginning of the response body (`Sender`, `ResponseBudget`). */
export type RecordedAttempt = Omit<Selectable<WebhookTables["webhook_attempts"]>, "delivery_id">;

/** The maximum number of attempts that `findDelivery` returns, since a delivery can be resent without limit. */
const maxHistory = 50;
const maxCountedAttempts = 1_000;

const columns = sql`
  delivery.id, delivery.endpoint_id as "endpointId", delivery.event_id as "eventId", events.type, delivery.state,
  delivery.attempts, made.count as "totalAttempts", delivery.next_attempt_at as "nextAttemptAt", delivery.created_at as "createdAt",
  last.status as "lastStatus",
  last.attempted_at as "lastAttemptAt", last.error as "lastError"`;

const sources = sql`
  webhook_deliveries delivery
  join events on events.id = delivery.event_id
  left join lateral (
    select status, attempted_at, error from webhook_attempts where delivery_id = delivery.id order by id desc limit 1
  ) last on true
  cross join lateral (
    select count(*) from (
      select from webhook_attempts where delivery_id = delivery.id limit ${sql.lit(maxCountedAttempts)}
    ) counted
  ) made`;

/** Which deliveries of an endpoint to list. An absent field does not filter. */
export interface DeliveryFilter {
  states?: readonly DeliveryState[] | undefined;
  types?: readonly string[] | undefined;
  /** The earliest event time, inclusive. */
  from?: Date | undefined;
  /** The latest event time, exclusive. */
  to?: Date | undefined;
}

/** The event id before or after which a page starts; undefined for the newest page. */
export type DeliveryCursor = { olderThan: string } | { newerThan: string } | undefined;

/** The deliveries with the newest event first, and the cursors of the adjacent pages; null without such a page. */
export interface DeliveryPage {
  deliveries: Delivery[];
  newer: string | null;
  older: string | null;
}

/**
 * A page of an endpoint's deliveries. The index `webhook_deliveries_listed` has endpoint, state, type and event id. A
 * filtered page scans at most `limit` rows of each pair of state and type, so the cost does not grow with the number of
 * deliveries.
 */
export async function pageDeliveries(
  db: Queryable,
  endpointId: number,
  { limit, cursor, ...filter }: DeliveryFilter & { limit: number; cursor: DeliveryCursor },
  rules: Pick<EventRules, "types">,
): Promise<DeliveryPage> {
  const isTowardNewer = cursor !== undefined && "newerThan" in cursor;
  const deliveryRows = await selectDeliveries(db, endpointId, filter, cursor, limit + 1, rules);
  const deliveries = deliveryRows.slice(0, limit);
  const hasMore = deliveryRows.length > limit;
  if (isTowardNewer) deliveries.reverse();
  // This is the newest page, and it may be short. So the first page is read instead.
  if (isTowardNewer && !hasMore) return pageDeliveries(db, endpointId, { limit, cursor: undefined, ...filter }, rules);
  const first = deliveries[0]?.eventId ?? null;
  const last = deliveries.at(-1)?.eventId ?? null;
  if (isTowardNewer) return { deliveries, newer: first, older: last };
  return { deliveries, newer: cursor === undefined ? null : first, older: hasMore ? last : null };
}

/** The newest deliveries of an endpoint, newest event first. */
export const listDeliveries = (
  db: Queryable,
  endpointId: number,
  { limit, ...filter }: DeliveryFilter & { limit: number },
  rules: Pick<EventRules, "types">,
): Promise<Delivery[]> => selectDeliveries(db, endpointId, filter, undefined, limit, rules);

async function selectDeliveries(
  db: Queryable,
  endpointId: number,
  { states, types, from, to }: DeliveryFilter,
  cursor: DeliveryCursor,
  limit: number,
  rules: Pick<EventRules, "types">,
): Promise<Delivery[]> {
  const isTowardNewer = cursor !== undefined && "newerThan" in cursor;
  const order = isTowardNewer ? sql`asc` : sql`desc`;
  const after = latest(from && firstEventId(from.getTime()), isTowardNewer ? cursor.newerThan : undefined);
  const before = earliest(to && firstEventId(to.getTime()), cursor && !isTowardNewer ? cursor.olderThan : undefined);
  const matches = (more: RawBuilder<unknown>) => sql`
    select id, event_id from webhook_deliveries
    where endpoint_id = ${endpointId} and event_id > ${after} and event_id < ${before} ${more}
    order by event_id ${order} limit ${limit}`;
  const isFiltered = states !== undefined || types !== undefined;
  const page = isFiltered
    ? sql`
        select matching.id, matching.event_id
        from unnest(${states ?? deliveryStates}::text[]) as wanted (state)
        cross join unnest(${types ?? [...rules.types, untyped]}::text[]) as typed (type)
        cross join lateral (${matches(sql`and state = wanted.state and type = typed.type`)}) matching
        order by matching.event_id ${order} limit ${limit}`
    : matches(sql``);
  const { rows } = await sql<Delivery>`
    with page as materialized (${page})
    select ${columns} from ${sources} join page on page.id = delivery.id
    order by delivery.event_id ${order}`.execute(db);
  return rows;
}

/** The type of old deliveries, from releases that had no column `type`. */
const untyped = "";

const latest = (...ids: (string | undefined)[]): string => ids.reduce<string>((a, b) => (b && b > a ? b : a), "");
const earliest = (...ids: (string | undefined)[]): string => ids.reduce<string>((a, b) => (b && b < a ? b : a), "~");

/**
 * A delivery with the stored payload, the endpoint's version, and the newest `maxHistory` attempts, oldest first.
 * Throws 404 if the principal has no such delivery.
 */
export async function findDelivery(
  db: Queryable,
  id: number,
  principal: Principal,
): Promise<Delivery & { payload: string; version: string; history: RecordedAttempt[] }> {
  const { rows } = await sql<Delivery & { payload: string; version: string }>`
    select ${columns}, events.payload, endpoint.api_version as version from ${sources}
    join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
    where delivery.id = ${id} and ${isVisibleTo(principal)}`.execute(db);
  const row = rows[0];
  if (row === undefined) throw notFound(`There is no webhook delivery ${id}.`);
  const history = await tablesOf(db)
    .selectFrom("webhook_attempts")
    .select(["id", "attempted_at", "status", "duration_ms", "error", "answer"])
    .where("delivery_id", "=", id)
    .orderBy("id", "desc")
    .limit(maxHistory)
    .execute();
  return { ...row, history: history.reverse() };
}

/** Counts the pending, failed and skipped deliveries of an endpoint. */
export async function countUndelivered(db: Queryable, endpointId: number): Promise<UndeliveredCounts> {
  const countState = (state: DeliveryState) => countedState(sql`${endpointId}`, state, Number.MAX_SAFE_INTEGER);
  const { rows } = await sql<UndeliveredCounts>`
    select ${countState("pending")} as pending, ${countState("failed")} as failed, ${countState("skipped")} as skipped`.execute(
    db,
  );
  return rows[0] ?? { pending: 0, failed: 0, skipped: 0 };
}

type UndeliveredCounts = Pick<DeliverySummary, "pending" | "failed" | "skipped">;

/** The states that the portal shows: a delivery that is pending after a failed attempt is "retrying". */
export const displayStates = [...deliveryStates, "retrying"] as const;
type DisplayState = (typeof displayStates)[number];

export interface DeliverySummary {
  /** The newest deliveries, newest first. */
  recent: DisplayState[];
  /** How many of the newest deliveries were ever attempted. */
  attempted: number;
  /** How many of the newest deliveries succeeded at their last attempt. */
  succeeded: number;
  /** Counted up to `atMost`, as `failed` and `skipped` are. */
  pending: number;
  failed: number;
  skipped: number;
}

/** Summarizes the deliveries of each endpoint: the `newest` deliveries, and counts up to `atMost`. */
export async function summarizeDeliveries(
  db: Queryable,
  endpointIds: readonly number[],
  { newest, atMost }: { newest: number; atMost: number },
): Promise<Map<number, DeliverySummary>> {
  const countState = (state: DeliveryState) => countedState(sql.ref("endpoint.id"), state, atMost);
  const { rows } = await sql<DeliverySummary & { id: number }>`
    select endpoint.id, summary.recent, summary.attempted, summary.succeeded,
           ${countState("pending")} as pending, ${countState("failed")} as failed, ${countState("skipped")} as skipped
    from unnest(${endpointIds}::bigint[]) as endpoint (id)
    cross join lateral (
      select coalesce(array_agg(
               case when state = 'pending' and attempts > 0 then 'retrying' else state end order by event_id desc
             ), '{}') as recent,
             count(*) filter (where attempts > 0 or before.id is not null) as attempted,
             count(*) filter (
               where case when attempts > 0 then state = 'succeeded' else before.id is not null and before.error is null end
             ) as succeeded
      from (
        select id, state, attempts, event_id from webhook_deliveries where endpoint_id = endpoint.id
        order by event_id desc limit ${newest}
      ) newest
      left join lateral (
        select attempt.id, attempt.error from webhook_attempts attempt
        where newest.attempts = 0 and attempt.delivery_id = newest.id order by attempt.id desc limit 1
      ) before on true
    ) summary`.execute(db);
  return new Map(rows.map(({ id, ...summary }) => [id, summary]));
}

const countedState = (endpointId: RawBuilder<unknown>, state: DeliveryState, atMost: number) => sql<number>`(
  select count(*) from (
    select from webhook_deliveries where endpoint_id = ${endpointId} and state = ${sql.lit(state)} limit ${atMost}
  ) counted)`;

/** An event that an API request caused, and the deliveries to the endpoints of the request's owner. */
export interface CausedEvent {
  id: string;
  type: string;
  createdAt: Date;
  deliveries: { id: number; endpointId: number; url: string; state: DeliveryState; attempts: number }[];
}

/** The events that a request of the owner caused, oldest first. Omits deliveries to other owners. */
export async function eventsOfCall(db: Queryable, ownerId: number, requestId: string): Promise<CausedEvent[]> {
  const { rows } = await sql<CausedEvent>`
    select events.id, events.type, events.created_at as "createdAt", coalesce(own.deliveries, '[]') as deliveries
    from events left join lateral (
      select json_agg(json_build_object('id', delivery.id, 'endpointId', endpoint.id, 'url', endpoint.url,
                                        'state', delivery.state, 'attempts', delivery.attempts)
                      order by delivery.id) as deliveries
      from webhook_endpoints endpoint
      join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id and delivery.event_id = events.id
      where endpoint.user_id = ${ownerId}
    ) own on true
    where events.request_id = ${requestId} order by events.id`.execute(db);
  return rows;
}
