import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../database/connection/connect.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { repeat } from "../../repeat.ts";
import { Sender } from "./delivery/sender.ts";
import { DeliveryWorker } from "./delivery/worker.ts";
import type { SecretBox } from "./endpoints/secret-box.ts";
import { Inbox } from "./inbox/inbox.ts";
import { sendDueMails } from "./monitoring/mails.ts";
import { sweepEvents, tidyEndpoints } from "./retention.ts";

export interface DeliveringParts {
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
 * Starts all that webhooks need in the background: a delivery worker, the mails about endpoints, and what keeps the
 * tables small. Any number of processes may do so at once. Returns what stops it.
 */
export async function startDelivering(parts: DeliveringParts): Promise<() => Promise<void>> {
  const { database, clock, log, secrets, mailer, allowPrivate } = parts;
  if (allowPrivate)
    log.warn(
      "WEBHOOK_ALLOW_PRIVATE is on: webhooks may reach http, any port and private networks. For local work only.",
    );
  const db = database.query;
  const now = () => new Date(clock.nowMs());
  const complain = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} failed; trying again`);
  const sendMails = () => sendDueMails(db, mailer);
  const sender = new Sender({ allowPrivate, clock });
  const worker = new DeliveryWorker({
    database,
    clock,
    log,
    sender,
    inbox: new Inbox({ db, clock, secrets, log }),
    secrets,
    scope: "all",
    onMailDue: () => void sendMails().catch(complain("sending webhook mails")),
  });
  await worker.start();
  const stops = [
    repeat(minuteMs, sendMails, complain("sending webhook mails")),
    repeat(minuteMs, () => tidyEndpoints(db, now()), complain("tidying webhook endpoints")),
    repeat(60 * minuteMs, () => sweepEvents(db, now()), complain("forgetting old events")),
  ];
  return async () => {
    await worker.stop();
    await Promise.all(stops.map((stop) => stop()));
    await sender.close();
  };
}
