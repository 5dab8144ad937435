import type { Clock } from "@beatmarket/foundation/clock.ts";
import { repeat } from "@beatmarket/foundation/repeat.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { Logger } from "pino";
import type { Database } from "../../database/connect.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import { Inbox } from "./inbox/inbox.ts";
import { sendDueMails } from "./monitoring/mails.ts";
import { cleanUpEndpoints, deleteExpiredEvents } from "./retention.ts";
import { Sender } from "./sender.ts";

export interface WebhookJobsOptions {
  database: Database;
  clock: Clock;
  log: Logger;
  secrets: SecretBox;
  mailer: Mailer;
  /** WEBHOOK_ALLOW_PRIVATE. */
  allowPrivate: boolean;
}

const minuteMs = 60_000;

/**
 * Starts a delivery worker, the mails to endpoint owners in a loop of their own, and retention. Any number of processes may run these jobs at
 * once. Returns a function that stops them.
 */
export async function startWebhookJobs(options: WebhookJobsOptions): Promise<() => Promise<void>> {
  const { database, clock, log, secrets, mailer, allowPrivate } = options;
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
    sendingMails ??= sendDueMails(db, mailer, now, stopping.signal).finally(() => {
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
    secrets,
    scope: "all",
    onMailDue: () => void sendMails().catch(warn("sending webhook mails")),
  });
  const expireEvents = () =>
    runInOneProcess(db, "beatmarket:expired events", async () => void (await deleteExpiredEvents(db, now())));
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
