import type { Clock } from "@beatmarket/foundation/clock.ts";
import { repeat } from "@beatmarket/foundation/repeat.ts";
import { batchSize, inBatches, runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Database, Queryable } from "../../database/connect.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { BucketWriter } from "./buckets/bucket-writer.ts";
import { deleteDeliveries, skipPending } from "./bulk-changes.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import { deleteForwardingEndpoint } from "./endpoints/forwarding.ts";
import { firstEventId } from "./events/event-types.ts";
import { Inbox } from "./inbox/inbox.ts";
import { type EndpointMailParts, sendDueMails } from "./monitoring/mails.ts";
import { Sender } from "./sender.ts";

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

/** Ids rise with time, so the first batch that is not completely old is the last. */
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

export interface WebhookJobsOptions {
  database: Database;
  clock: Clock;
  log: Logger;
  secrets: SecretBox;
  mails: EndpointMailParts;
  /** WEBHOOK_ALLOW_PRIVATE. */
  allowPrivate: boolean;
}

const minuteMs = 60_000;

/**
 * Starts a delivery worker, the mails to endpoint owners in a separate loop, and retention. Any number of processes may
 * run these jobs concurrently. Returns a function that stops them.
 */
export async function startWebhookJobs(options: WebhookJobsOptions): Promise<() => Promise<void>> {
  const { database, clock, log, secrets, mails, allowPrivate } = options;
  if (allowPrivate)
    log.warn(
      "WEBHOOK_ALLOW_PRIVATE is on: webhooks may reach http, any port and private networks. For local work only.",
    );
  const db = database.query;
  const stopping = new AbortController();
  const now = () => new Date(clock.nowMs());
  const warn = (job: string) => (error: unknown) => log.warn({ err: error }, `${job} failed; retrying`);
  let sendingMails: Promise<void> | null = null;
  const sendMails = (): Promise<void> => {
    sendingMails ??= sendDueMails(db, mails, now, stopping.signal).finally(() => {
      sendingMails = null;
    });
    return sendingMails;
  };
  const sender = new Sender({ allowPrivate, clock });
  const worker = new DeliveryWorker({
    database,
    clock,
    log,
    sender,
    inbox: new Inbox({ db, clock, secrets, log }),
    buckets: new BucketWriter({ sender, allowPrivate }),
    secrets,
    scope: "all",
    onMailDue: () => void sendMails().catch(warn("sending webhook mails")),
  });
  const expireEvents = () =>
    runInOneProcess(
      db,
      "beatmarket:expired events",
      async (connection) => void (await deleteExpiredEvents(connection, now())),
    );
  await worker.start();
  const stops = [
    repeat(minuteMs, sendMails, warn("sending webhook mails")),
    repeat(minuteMs, () => cleanUpEndpoints(db, now()), warn("cleaning up webhook endpoints")),
    repeat(60 * minuteMs, expireEvents, warn("deleting expired events")),
  ];
  return async () => {
    stopping.abort();
    await Promise.all([worker.stop(), ...stops.map((stop) => stop())]);
    await sender.close();
  };
}
