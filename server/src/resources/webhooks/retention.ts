import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { deleteDeliveries, skipPending } from "./bulk-changes.ts";
import { deleteForwardingEndpoint } from "./endpoints/forwarding.ts";
import { firstEventId } from "./events/event-id.ts";

const retentionMs = 30 * 24 * 3_600_000;
const forwardingTimeoutMs = 30_000;

/** Deletes events, deliveries, attempts and receipts after 30 days. Returns the number of events. */
export async function deleteExpiredEvents(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - retentionMs);
  await deleteReceipts(db, before);
  await deleteDeliveries(db, sql`created_at < ${before}`);
  return inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from events where id in (
        select id from events where id < ${firstEventId(before.getTime())} order by id limit ${batchSize})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
}

/** Ids rise with time, so the first batch that is not all old is the last. */
const deleteReceipts = (db: Queryable, before: Date): Promise<number> =>
  inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from webhook_receipts where id in (
        select id from (select id, received_at from webhook_receipts order by id limit ${batchSize}) oldest
        where received_at < ${before})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });

/**
 * Cleans up after interrupted processes: skips deliveries that were queued while their endpoint was being disabled, and
 * deletes the forwarding endpoints whose heartbeat stopped.
 */
export async function cleanUpEndpoints(db: Queryable, now: Date): Promise<void> {
  const heartbeatDeadline = new Date(now.getTime() - forwardingTimeoutMs);
  const endpoints = await db
    .selectFrom("webhook_endpoints")
    .select(["id", "state"])
    .where((row) => row.or([row("state", "=", "disabled"), row("listener_seen_at", "<", heartbeatDeadline)]))
    .execute();
  for (const { id, state } of endpoints)
    if (state === "disabled") await skipPending(db, id);
    else await deleteForwardingEndpoint(db, id);
}
