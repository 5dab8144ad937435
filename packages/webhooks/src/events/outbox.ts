import { activeTracer, currentTraceparent, inSpan, type SpanOptions } from "@beatmarket/foundation/tracing/tracing.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { type RawBuilder, sql } from "kysely";
import type { EventRules } from "../event-rules.ts";
import { eventIds, testEventId } from "./event-ids.ts";

/** An event to emit. */
export interface NewEvent<EventType extends string = string> {
  type: EventType;
  /** `data` of the payload. */
  data: object;
  at: Date;
  /** The owners who receive the event, in addition to `EventRules.alsoReceives`; "everyone" for public data. */
  audience: readonly number[] | "everyone";
  /** The API request that caused the event. */
  requestId?: string | null;
  /** The `traceparent` that the deliveries continue; null if they continue no trace. Default: the current span's. */
  traceContext?: string | null;
}

const maxRowsPerStatement = 5_000;

/** Notified when deliveries become pending; workers listen on it. */
export const deliveriesChannel = "webhook_deliveries";

/** An SQL condition on the columns of two tables: whether an endpoint receives an event. */
export const isRecipient = (
  endpoint: string,
  event: string,
  { alsoReceives }: Pick<EventRules, "alsoReceives">,
): RawBuilder<boolean> => {
  const column = (table: string, name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(
    (${column(endpoint, "event_types")} is null or ${column(event, "type")} = any(${column(endpoint, "event_types")}))
    and (${column(event, "audience")} is null or ${column(endpoint, "user_id")} = any(${column(event, "audience")})
      or (${column(event, "audience")} <> '{}' and ${alsoReceives(column(endpoint, "user_id"), column(event, "type"))})))`;
};

/**
 * Writes events to the transactional outbox, with a delivery for each receiving endpoint. The delivery of a disabled
 * endpoint is skipped. `transaction` must be the transaction that makes the change, so that a crash can neither lose
 * nor invent an event. The commit wakes the workers.
 */
export async function emitEvents(
  transaction: Queryable,
  events: readonly NewEvent[],
  rules: Pick<EventRules, "randomBytes" | "alsoReceives">,
): Promise<void> {
  for (let start = 0; start < events.length; start += maxRowsPerStatement)
    await emitBatch(transaction, events.slice(start, start + maxRowsPerStatement), rules);
}

/**
 * A bucket delivery is due at the end of the minute, so that one object has the events of that minute. Other deliveries
 * are due immediately, and those of a disabled endpoint never.
 */
const firstAttemptAt = sql<Date | null>`
  case when endpoint.state <> 'enabled' then null
       when endpoint.kind = 's3' then date_trunc('minute', emitted.created_at) + interval '1 minute'
       else emitted.created_at end`;

async function emitBatch(
  transaction: Queryable,
  events: readonly NewEvent[],
  rules: Pick<EventRules, "randomBytes" | "alsoReceives">,
): Promise<void> {
  const ids = eventIds(
    events.map(({ at }) => at.getTime()),
    rules.randomBytes,
  );
  const rows = events.map((event, index) => eventRow(ids[index] ?? "", event));
  if (activeTracer()?.isRecording) await Promise.all(rows.map(recordEvent));
  const column = <T>(value: (row: EventRow) => T): T[] => rows.map(value);
  // The SQL text is the same for any number of events, so PostgreSQL prepares it once.
  await sql`
    with emitted as (
      insert into events (id, type, created_at, payload, audience, request_id, trace_context)
      select id, type, created_at, payload, audience::bigint[], request_id, trace_context from unnest(
        ${column(({ id }) => id)}::text[], ${column(({ type }) => type)}::text[],
        ${column(({ created_at }) => created_at.toISOString())}::timestamptz[], ${column(({ payload }) => payload)}::text[],
        ${column(({ audience }) => (audience === null ? null : `{${audience.join()}}`))}::text[],
        ${column(({ request_id }) => request_id)}::text[], ${column(({ trace_context }) => trace_context)}::text[])
      as event (id, type, created_at, payload, audience, request_id, trace_context)
      returning id, type, audience, created_at
    ), queued as (
      insert into webhook_deliveries (endpoint_id, event_id, type, state, next_attempt_at, ordered, created_at)
      select endpoint.id, emitted.id, emitted.type, case endpoint.state when 'enabled' then 'pending' else 'skipped' end,
        ${firstAttemptAt}, endpoint.ordered, emitted.created_at
      from emitted join webhook_endpoints endpoint on ${isRecipient("endpoint", "emitted", rules)}
      order by emitted.id
      returning state
    )
    select pg_notify(${deliveriesChannel}, '') from queued where state = 'pending' limit 1`.execute(transaction);
}

/** The stored payload of an event. */
export const eventPayload = (id: string, { type, data, at }: Pick<NewEvent, "type" | "data" | "at">): string =>
  JSON.stringify({ id, created: Math.floor(at.getTime() / 1000), type, data });

type EventRow = ReturnType<typeof eventRow>;

const eventRow = (id: string, event: NewEvent) => ({
  id,
  type: event.type,
  created_at: event.at,
  payload: eventPayload(id, event),
  audience: event.audience === "everyone" ? null : [...event.audience],
  request_id: event.requestId ?? null,
  trace_context: event.traceContext === undefined ? currentTraceparent() : event.traceContext,
});

/** Gives the event its own span, which its deliveries continue. */
async function recordEvent(row: EventRow): Promise<void> {
  if (row.trace_context === null) return;
  const attributes = { "beatmarket.event_id": row.id, "beatmarket.event_type": row.type };
  const options: SpanOptions = { kind: "producer", parent: row.trace_context, attributes };
  row.trace_context = await inSpan(`event ${row.type}`, options, async () => currentTraceparent());
}

/**
 * Queues a test event for one endpoint, regardless of its subscriptions. The event's id and a header
 * (`unsignedHeaders`) mark it as a test. Returns the delivery's id.
 */
export async function emitTestEvent(
  db: Queryable,
  { id: endpointId, isOrdered }: { id: number; isOrdered: boolean },
  { type, data, at }: Pick<NewEvent, "type" | "data" | "at">,
  { randomBytes }: Pick<EventRules, "randomBytes">,
): Promise<number> {
  const id = testEventId(at.getTime(), randomBytes);
  // The audience is empty, so that no replay sends the event to another endpoint.
  const { rows } = await sql<{ id: number }>`
    with event as (
      insert into events (id, type, created_at, payload, audience)
      values (${id}, ${type}, ${at}, ${eventPayload(id, { type, data, at })}, '{}')
    )
    insert into webhook_deliveries (endpoint_id, event_id, type, state, next_attempt_at, ordered, created_at)
    values (${endpointId}, ${id}, ${type}, 'pending', ${at}, ${isOrdered}, ${at})
    returning id, pg_notify(${deliveriesChannel}, '')`.execute(db);
  return rows[0]?.id ?? 0;
}
