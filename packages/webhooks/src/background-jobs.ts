import type { Clock } from "@beatmarket/foundation/clock.ts";
import { repeat } from "@beatmarket/foundation/repeat.ts";
import type { Database, Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { batchSize, inBatches, runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Logger } from "pino";
import { BucketWriter } from "./buckets/bucket-writer.ts";
import { deleteDeliveries, skipPending } from "./bulk-changes.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import { deleteForwardingEndpoint } from "./endpoints/endpoints.ts";
import type { EventRules } from "./event-rules.ts";
import { firstEventId } from "./events/event-ids.ts";
import { Inbox } from "./inbox.ts";
import { type DueMail, sendDueMails } from "./monitoring/due-mails.ts";
import type { SecretBox } from "./secret-box.ts";
import { Sender } from "./sender.ts";
import { tablesOf } from "./tables.ts";

const retentionMs = 30 * 24 * 3_600_000;
const forwardingTimeoutMs = 30_000;

/** Deletes events, deliveries, attempts and receipts older than 30 days. Returns the number of deleted events. */
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

/** Ids rise with time, so a batch with a receipt that is not expired is the last one. */
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
  const endpoints = await tablesOf(db)
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
  rules: EventRules;
  /** Sends a mail to the owner of an endpoint. */
  sendMail(mail: DueMail): Promise<void>;
  /** Whether webhooks may use http, every port and private networks. */
  allowPrivate: boolean;
}

const minuteMs = 60_000;

/**
 * Starts a delivery worker, a loop that mails endpoint owners, the clean-up of endpoints, and retention. Any number of
 * processes may run these jobs concurrently. Returns a function that stops the jobs.
 */
export async function startWebhookJobs(options: WebhookJobsOptions): Promise<() => Promise<void>> {
  const { database, clock, log, secrets, rules, allowPrivate } = options;
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
    sendingMails ??= sendDueMails(db, (mail) => options.sendMail(mail), now, stopping.signal).finally(() => {
      sendingMails = null;
    });
    return sendingMails;
  };
  const sender = new Sender({ userAgent: rules.userAgent, allowPrivate, clock });
  const worker = new DeliveryWorker({
    database,
    clock,
    log,
    sender,
    rules,
    inbox: new Inbox({ db, clock, secrets, log, rules }),
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
