import { ApiError, conflict, notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { batchSize } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import { type Endpoint, isVisibleTo, type Principal, requireEnabled } from "./endpoints/endpoints.ts";
import type { EventRules } from "./event-rules.ts";
import { firstEventId } from "./events/event-ids.ts";
import { deliveriesChannel, isRecipient } from "./events/outbox.ts";
import { tablesOf } from "./tables.ts";

/** Which deliveries of an endpoint to replay. */
export interface Selection {
  /**
   * Default: failed, skipped and succeeded deliveries, and the endpoint's events in the time range without a delivery.
   */
  states?: readonly ("failed" | "skipped")[];
  /** The earliest event time, inclusive. */
  from?: Date | undefined;
  /** The latest event time, exclusive. */
  to?: Date | undefined;
}

/**
 * Queues one delivery again, with the same event id. Throws 404 if the principal has no such delivery, and 409 for a
 * disabled endpoint or while a worker is sending the delivery.
 */
export async function resendDelivery(db: Queryable, id: number, principal: Principal, now: Date): Promise<void> {
  const endpoint = await tablesOf(db)
    .selectFrom("webhook_deliveries as delivery")
    .innerJoin("webhook_endpoints as endpoint", "endpoint.id", "delivery.endpoint_id")
    .select(["endpoint.id", "endpoint.state"])
    .where("delivery.id", "=", id)
    .where(isVisibleTo(principal))
    .executeTakeFirst();
  if (endpoint === undefined) throw notFound(`There is no webhook delivery ${id}.`);
  requireEnabled(endpoint);
  const { numUpdatedRows } = await tablesOf(db)
    .updateTable("webhook_deliveries")
    .set({ state: "pending", attempts: 0, next_attempt_at: now })
    .where("id", "=", id)
    .where("state", "<>", "sending")
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw conflict(`Delivery ${id} is being sent at this moment.`);
  await closeCircuit(db, endpoint.id);
}

/**
 * Queues deliveries of an endpoint again, with the same event ids, and returns their number. Skips deliveries that are
 * pending or being sent. Throws 409 for a disabled endpoint.
 */
export async function replayDeliveries(
  db: Queryable,
  endpoint: Pick<Endpoint, "id" | "state">,
  selection: Selection,
  rules: Pick<EventRules, "alsoReceives">,
  now: Date,
): Promise<number> {
  requireEnabled(endpoint);
  const states = statesOf(selection);
  const { after: start, before } = rangeOf(selection);
  let after = start;
  if (selection.states === undefined) await addMissing(db, endpoint.id, { after, before }, rules);
  for (let total = 0; ; ) {
    const { rows } = await sql<{ event_id: string; moved: number }>`
      with chosen as (
        select id, event_id from webhook_deliveries
        where endpoint_id = ${endpoint.id} and state = any(${states}::text[])
          and event_id > ${after} and event_id < ${before}
        order by event_id limit ${batchSize} for update
      ), moved as (
        update webhook_deliveries delivery set state = 'pending', attempts = 0, next_attempt_at = ${now}
        from chosen where delivery.id = chosen.id returning delivery.event_id
      )
      select max(event_id) as event_id, count(*) as moved from moved having count(*) > 0`.execute(db);
    const batch = rows[0];
    if (batch === undefined) {
      if (total > 0) await closeCircuit(db, endpoint.id);
      return total;
    }
    total += batch.moved;
    after = batch.event_id;
  }
}

/** The number of deliveries that an owner may replay in an hour, to all of their endpoints together. */
const maxReplayedPerHour = 30_000;
const hourMs = 3_600_000;

/**
 * Counts deliveries against the owner's limit before a replay, in a transaction that holds a lock of the owner. Throws
 * 429 with Retry-After if the deliveries of the hour's replays exceed the limit; the first replay of an hour is never
 * refused. The limit exists because each attempt adds a row and a request to a receiver.
 */
export async function reserveReplay(
  transaction: Queryable,
  { id, userId }: Pick<Endpoint, "id" | "userId">,
  count: number,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ used: number; windowEndsAt: Date | null }>`
    select coalesce(sum(replayed), 0)::int as used, max(replay_window_ends_at) as "windowEndsAt"
    from webhook_endpoints where user_id = ${userId} and replay_window_ends_at > ${now}`.execute(transaction);
  const { used = 0, windowEndsAt = null } = rows[0] ?? {};
  if (used + count > maxReplayedPerHour && windowEndsAt !== null) {
    const waitSeconds = Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000);
    throw new ApiError(
      429,
      "rate_limit_exceeded",
      "Too many replays",
      `An account replays at most ${maxReplayedPerHour.toLocaleString("en")} deliveries an hour; try again in ${Math.ceil(waitSeconds / 60)} minutes.`,
      { headers: { "retry-after": String(waitSeconds) }, refusedBy: "limit:replays" },
    );
  }
  await sql`
    update webhook_endpoints set
      replayed = case when replay_window_ends_at > ${now} then replayed else 0 end + ${count}::int,
      replay_window_ends_at = case
        when replay_window_ends_at > ${now} then replay_window_ends_at else ${new Date(now.getTime() + hourMs)} end
    where id = ${id}`.execute(transaction);
}

/** Counts the deliveries that `replayDeliveries` would queue, up to `atMost`. */
export async function countReplayable(
  db: Queryable,
  endpointId: number,
  selection: Selection,
  atMost: number,
  rules: Pick<EventRules, "alsoReceives">,
): Promise<number> {
  const { after, before } = rangeOf(selection);
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      (select from webhook_deliveries
       where endpoint_id = ${endpointId} and state = any(${statesOf(selection)}::text[])
         and event_id > ${after} and event_id < ${before} limit ${atMost})
      union all
      (select from events join webhook_endpoints endpoint on endpoint.id = ${endpointId}
       where ${selection.states === undefined} and events.id > ${after} and events.id < ${before}
         and ${isRecipient("endpoint", "events", rules)}
         and not exists (
           select from webhook_deliveries where endpoint_id = ${endpointId} and event_id = events.id)
       limit ${atMost})
      limit ${atMost}
    ) replayable`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A selection in words, for an audit log. */
export const selectionInWords = ({ states, from, to }: Selection): string =>
  [
    states === undefined ? "all events" : states.join(" and "),
    from && `from ${from.toISOString()}`,
    to && `before ${to.toISOString()}`,
  ]
    .filter((part) => part !== undefined)
    .join(" ");

const statesOf = ({ states }: Selection): readonly string[] => states ?? ["failed", "skipped", "succeeded"];

const rangeOf = ({ from, to }: Selection): { after: string; before: string } => ({
  after: from === undefined ? "" : firstEventId(from.getTime()),
  before: to === undefined ? "~" : firstEventId(to.getTime()),
});

/** Adds skipped deliveries, which the replay then queues, for events that match the endpoint and have no delivery. */
async function addMissing(
  db: Queryable,
  endpointId: number,
  { after, before }: { after: string; before: string },
  rules: Pick<EventRules, "alsoReceives">,
): Promise<void> {
  for (let from = after; ; ) {
    const { rows } = await sql<{ last: string | null }>`
      with batch as (
        select id, type, audience, created_at from events
        where id > ${from} and id < ${before} order by id limit ${batchSize}
      ), added as (
        insert into webhook_deliveries (endpoint_id, event_id, type, state, ordered, created_at)
        select endpoint.id, batch.id, batch.type, 'skipped', endpoint.ordered, batch.created_at
        from batch join webhook_endpoints endpoint on endpoint.id = ${endpointId} and ${isRecipient("endpoint", "batch", rules)}
        order by batch.id
        on conflict do nothing
      )
      select max(id) as last from batch`.execute(db);
    const last = rows[0]?.last ?? null;
    if (last === null) return;
    from = last;
  }
}

/** Closes the endpoint's circuit, because its owner expects the receiver to work again, and wakes the workers. */
async function closeCircuit(db: Queryable, endpointId: number): Promise<void> {
  await tablesOf(db).updateTable("webhook_endpoints").set({ resume_at: null }).where("id", "=", endpointId).execute();
  await sql`select pg_notify(${deliveriesChannel}, '')`.execute(db);
}
