import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { deleteDeliveriesOf, skipPending } from "./debugging/replay.ts";
import { firstEventId } from "./events/event-id.ts";

const retentionMs = 30 * 24 * 3_600_000;
const batchSize = 5_000;
/** A `webhooks listen` that has not been heard of for so long is gone. */
const listenerGoneMs = 30_000;

/** Deletes events, deliveries, attempts and receipts past their 30 days, in small batches; answers how many events went. */
export async function sweepEvents(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  await db.deleteFrom("webhook_receipts").where("received_at", "<", before).execute();
  await untilFewer(() =>
    sql<{ count: number }>`
      with gone as (
        delete from webhook_deliveries where id in (
          select id from webhook_deliveries where created_at < ${before} limit ${batchSize})
        returning id
      ), attempts as (
        delete from webhook_attempts using gone where delivery_id = gone.id
      )
      select count(*) as count from gone`.execute(db),
  );
  return untilFewer(() =>
    sql<{ count: number }>`
      with gone as (
        delete from events where id in (
          select id from events where id < ${firstEventId(before.getTime())} order by id limit ${batchSize})
        returning id
      )
      select count(*) as count from gone`.execute(db),
  );
}

/** Runs a batch until one is not full; answers the sum. */
async function untilFewer(batch: () => Promise<{ rows: { count: number }[] }>): Promise<number> {
  for (let total = 0; ; ) {
    const { rows } = await batch();
    const count = rows[0]?.count ?? 0;
    total += count;
    if (count < batchSize) return total;
  }
}

/** Mends what interrupted commands left: deliveries queued for disabled endpoints, and listeners that are gone. */
export async function tidyEndpoints(db: Queryable, now: Date): Promise<void> {
  const endpoints = await db
    .selectFrom("webhook_endpoints")
    .select(["id", "state"])
    .where((row) =>
      row.or([row("state", "=", "disabled"), row("listener_seen_at", "<", new Date(now.getTime() - listenerGoneMs))]),
    )
    .execute();
  for (const { id, state } of endpoints)
    if (state === "disabled") await skipPending(db, id);
    else await removeListener(db, id);
}

/** Removes the endpoint of a `webhooks listen`, and what was queued for it. */
export async function removeListener(db: Queryable, id: number): Promise<void> {
  await db.deleteFrom("webhook_endpoints").where("id", "=", id).where("kind", "=", "listen").execute();
  await deleteDeliveriesOf(db, id);
}
