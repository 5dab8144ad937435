import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { conflict, notFound } from "../../../errors.ts";
import { recordAudit } from "../../audit/queries.ts";
import { batchSize } from "../delivery/bulk-changes.ts";
import { authorOf } from "../endpoints/audit.ts";
import { type Actor, type Endpoint, nameOf, type Reader } from "../endpoints/endpoint.ts";
import { firstEventId } from "../events/event-id.ts";
import { deliveriesChannel, isToldOf } from "../events/outbox.ts";

/** Which deliveries of an endpoint to make again. */
export interface Selection {
  /** In these states only. Absent: all, and also events of the time range that the endpoint was never told of. */
  states?: readonly ("failed" | "skipped")[];
  /** Of events from then on. */
  from?: Date | undefined;
  /** Of events before then. */
  to?: Date | undefined;
}

/** Sends one delivery again, whatever became of it, with the same event id. 409 while it is being sent. */
export async function resendDelivery(db: Queryable, id: number, actor: Reader, now: Date): Promise<void> {
  const delivery = await db
    .selectFrom("webhook_deliveries as delivery")
    .innerJoin("webhook_endpoints as endpoint", "endpoint.id", "delivery.endpoint_id")
    .select(["endpoint.user_id", "endpoint.id", "endpoint.state"])
    .where("delivery.id", "=", id)
    .executeTakeFirst();
  if (delivery === undefined || (actor !== "operator" && delivery.user_id !== actor.ownerId))
    throw notFound(`There is no webhook delivery ${id}.`);
  requireEnabled(delivery);
  const { numUpdatedRows } = await db
    .updateTable("webhook_deliveries")
    .set({ state: "pending", attempts: 0, next_attempt_at: now })
    .where("id", "=", id)
    .where("state", "<>", "sending")
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw conflict(`Delivery ${id} is being sent at this moment.`);
  await resume(db, delivery.id);
}

/**
 * Puts deliveries of an endpoint into the queue again, with the same event ids; those that are in it stay as they are.
 * The audit log has it before the first batch. Answers how many. 409 for a disabled endpoint.
 */
export async function replayDeliveries(
  db: Queryable,
  endpoint: Endpoint,
  selection: Selection,
  actor: Actor,
  now: Date,
): Promise<number> {
  requireEnabled(endpoint);
  await recordAudit(db, {
    userId: endpoint.userId,
    action: "webhook_endpoint.replayed",
    subject: `${nameOf(endpoint)}: ${inWords(selection)}`,
    author: authorOf(actor),
    at: now,
  });
  const states = statesOf(selection);
  const { after: start, before } = rangeOf(selection);
  let after = start;
  if (selection.states === undefined) await addMissing(db, endpoint.id, { after, before });
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
      if (total > 0) await resume(db, endpoint.id);
      return total;
    }
    total += batch.moved;
    after = batch.event_id;
  }
}

/** How many deliveries `replayDeliveries` would send, counted up to `atMost`. */
export async function countReplayable(
  db: Queryable,
  endpointId: number,
  selection: Selection,
  atMost: number,
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
         and ${isToldOf("endpoint", "events")}
         and not exists (
           select from webhook_deliveries where endpoint_id = ${endpointId} and event_id = events.id)
       limit ${atMost})
      limit ${atMost}
    ) replayable`.execute(db);
  return rows[0]?.count ?? 0;
}

const inWords = ({ states, from, to }: Selection): string =>
  [
    states === undefined ? "all events" : states.join(" and "),
    from && `from ${from.toISOString()}`,
    to && `before ${to.toISOString()}`,
  ]
    .filter((words) => words !== undefined)
    .join(" ");

const statesOf = ({ states }: Selection): readonly string[] => states ?? ["failed", "skipped", "succeeded"];

const rangeOf = ({ from, to }: Selection): { after: string; before: string } => ({
  after: from === undefined ? "" : firstEventId(from.getTime()),
  before: to === undefined ? "~" : firstEventId(to.getTime()),
});

/** Deliveries of events that the endpoint would have been told of; skipped, for the replay to take up. */
async function addMissing(
  db: Queryable,
  endpointId: number,
  { after, before }: { after: string; before: string },
): Promise<void> {
  for (let from = after; ; ) {
    const { rows } = await sql<{ last: string | null }>`
      with batch as (
        select id, type, audience, created_at from events
        where id > ${from} and id < ${before} order by id limit ${batchSize}
      ), added as (
        insert into webhook_deliveries (endpoint_id, event_id, type, state, ordered, created_at)
        select endpoint.id, batch.id, batch.type, 'skipped', endpoint.ordered, batch.created_at
        from batch join webhook_endpoints endpoint on endpoint.id = ${endpointId} and ${isToldOf("endpoint", "batch")}
        order by batch.id
        on conflict do nothing
      )
      select max(id) as last from batch`.execute(db);
    const last = rows[0]?.last ?? null;
    if (last === null) return;
    from = last;
  }
}

/** Whoever asks for deliveries expects the receiver to work again: no more pause, and the workers are woken. */
async function resume(db: Queryable, endpointId: number): Promise<void> {
  await db.updateTable("webhook_endpoints").set({ resume_at: null }).where("id", "=", endpointId).execute();
  await sql`select pg_notify(${deliveriesChannel}, '')`.execute(db);
}

function requireEnabled({ id, state }: { id: number; state: string }): void {
  if (state !== "enabled") throw conflict(`Webhook endpoint ${id} is disabled; enable it first.`);
}
