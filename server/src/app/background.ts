import type { Clock } from "@beatmarket/foundation/clock.ts";
import { repeat, type StopRepeating } from "@beatmarket/foundation/repeat.ts";
import { deleteOldMails } from "@beatmarket/mail/mailer.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { Cosigning } from "@beatmarket/transparency-log/cosigning.ts";
import { deleteExpiredEvents } from "@beatmarket/webhooks/background-jobs.ts";
import { sql } from "kysely";
import type { Queryable } from "../database/connect.ts";
import { sweepAuth } from "../portal/auth/context.ts";
import { deleteOldAudit } from "../resources/audit/retention.ts";
import { publishDue } from "../resources/beats/publishing/publish-due.ts";
import { stored } from "../resources/beats/state.ts";
import { deleteOldPlays } from "../resources/beats/write/plays.ts";
import { deleteOldChanges } from "../resources/changes/queries.ts";
import { watchCheckouts } from "../resources/checkouts/checkout-watch.ts";
import { deleteOldClaims } from "../resources/claims/claims.ts";
import { moveBeatsOfClaimed } from "../resources/claims/prove-claim.ts";
import { deleteOldContacts } from "../resources/contacts/messages.ts";
import { deleteOldFreeDownloads } from "../resources/free-downloads/free-downloads.ts";
import { SalesBackfill } from "../resources/ledger/record.ts";
import { deleteOldLimitRequests } from "../resources/limit-requests/requests.ts";
import { deleteOldOutgoingMails, sendDueMails } from "../resources/mails/outbox.ts";
import { Reconciler } from "../resources/orders/checkout/reconciler.ts";
import { compareDays } from "../resources/orders/comparison.ts";
import { deleteUnusedRenditions, queueLostRenditions } from "../resources/orders/fulfilment/renditions/renditions.ts";
import {
  deleteOldSandboxPages,
  deleteOldSandboxPayments,
  deleteOldSandboxRefunds,
} from "../resources/orders/payments/sandbox/sandbox.ts";
import { tallyOrders } from "../resources/orders/tally.ts";
import { continueRun } from "../resources/payouts/run-payouts.ts";
import { deleteOldReports } from "../resources/reports/report.ts";
import { sweepUploads } from "../resources/uploads/queries.ts";
import type { AppParts, DueJob } from "./services/scope.ts";
import type { Services } from "./services.ts";

/**
 * Deletes data whose retention has ended (docs/operating.md, What grows, and what bounds it). One process at a time
 * works on the database.
 */
async function applyRetention(pool: Queryable, dataDir: string, clock: Clock): Promise<void> {
  await deleteOldMails(dataDir, clock.nowMs());
  await runInOneProcess(pool, "beatmarket:retention", async (db) => {
    const now = new Date(clock.nowMs());
    await deleteOldAudit(db, now);
    await deleteOldChanges(db, now);
    await deleteOldClaims(db, now);
    await deleteOldSandboxPayments(db, now);
    await deleteOldSandboxRefunds(db, now);
    await deleteOldSandboxPages(db, now);
    await deleteOldOutgoingMails(db, now);
    await deleteOldContacts(db, now);
    await deleteOldLimitRequests(db, now);
    await deleteOldReports(db, now);
    await deleteOldFreeDownloads(db, now);
    await deleteOldPlays(db, now);
    await deleteUnusedRenditions(db);
  });
}

/**
 * Skips calls of a job for `intervalMs` after a run that changed something. So the first change after a quiet time is
 * immediate. The job and the returned function resolve to whether something changed.
 */
export function paced(clock: Clock, intervalMs: number, job: () => Promise<boolean>): () => Promise<boolean> {
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.monotonicMs() < notBeforeMs) return false;
    const changed = await job();
    if (changed) notBeforeMs = clock.monotonicMs() + intervalMs;
    return changed;
  };
}

const countersIntervalMs = 60_000;

/** Starts the background jobs. Returns a function that stops them and resolves when they have ended. */
export function startJobs(parts: AppParts, services: Services): () => Promise<void> {
  const { config, database, objects, clock, logger, portal, backups } = parts;
  const db = database.query;
  const {
    catalogue,
    checkout,
    plays,
    idempotencyKeys,
    storage,
    storagePresence,
    exports,
    mediaQueue,
    deliveryQueue,
    pendingPayments,
    comparisons,
    drafts,
    previews,
  } = services;
  const jobs: StopRepeating[] = [];
  const every = (ms: number, description: string, job: (stopping: AbortSignal) => Promise<unknown>) =>
    jobs.push(repeat(ms, job, (error) => logger.warn({ err: error }, `${description} failed; trying again`)));
  const reconciler = new Reconciler(checkout, catalogue);
  every(60_000, "settling open orders", (stopping) => reconciler.run(stopping));
  every(60_000, "settling open checkouts", (stopping) => watchCheckouts(checkout, catalogue, stopping));
  const backfill = new SalesBackfill(db);
  every(3_600_000, "recording sales of instances without a ledger", (stopping) => backfill.run(stopping));
  every(3_600_000, "comparing the ledger with the payment provider", (stopping) => compareDays(checkout, stopping));
  const paying = {
    db,
    now: () => new Date(clock.nowMs()),
    publicUrl: config.publicUrl,
    transfers: services.stripe?.transfers ?? null,
  };
  every(15_000, "paying producers", () => continueRun(paying));
  every(5_000, "publishing beats at their moment", (stopping) => publishDue(services.publishing, stopping));
  every(60_000, "reading comparisons", () => comparisons.measure(db, new Date(clock.nowMs())));
  // Each change of a counter empties the response cache, so changes are batched.
  const countPlaysAndOrders = paced(clock, countersIntervalMs, async () => {
    const played = await plays.flush();
    return (await tallyOrders(db)) > 0 || played;
  });
  every(1_000, "counting plays and orders", async () => {
    if (await countPlaysAndOrders()) catalogue.bump();
  });
  if (previews !== null) every(60_000, "making previews of the demo's beats", (stopping) => previews.make(stopping));
  every(5_000, "looking for the storage", () => storagePresence.check());
  every(5_000, "looking for what is wrong, for the status page", () => services.status.check());
  every(60_000, "measuring tables and disks", () => storage.measure());
  every(5_000, "measuring the queue of media jobs", () => mediaQueue.measure(db, new Date(clock.nowMs())));
  every(5_000, "measuring the queues of webhook deliveries and of mails about endpoints", () =>
    deliveryQueue.measure(db, new Date(clock.nowMs())),
  );
  every(500, "publishing the license log", () => services.licenseLog.publish());
  const cosigning = new Cosigning({
    signedLog: services.licenseLog,
    witnesses: config.licenseLogWitnesses,
    log: logger,
  });
  every(1_000, "asking witnesses to cosign the license log", () => cosigning.run());
  every(2_000, "sending mails", (stopping) => sendDueMails(services.mails, stopping));
  every(15_000, "measuring the queue of mails", () => services.mailWatch.measure(db, new Date(clock.nowMs())));
  every(15_000, "measuring pending payments", () => pendingPayments.measure(db, new Date(clock.nowMs())));
  every(3_600_000, "deleting what is old", () => applyRetention(db, config.dataDir, clock));
  every(3_600_000, "queueing lost renditions", () => queueLostRenditions(db, new Date(clock.nowMs())));
  every(600_000, "deleting old exports", () => exports.sweep());
  every(600_000, "deleting objects that nothing refers to", async (stopping) => {
    // A restored database may refer to objects that nothing refers to today, so they are copied before the deletion.
    await backups?.copyObjects(stopping);
    await objects.sweep(stopping);
  });
  every(600_000, "forgetting Idempotency-Keys", () => idempotencyKeys.sweep());
  every(60_000, "reading which key seals secrets", () => portal.webhooks.secrets.refresh(db));
  every(600_000, "forgetting ended sessions", () => sweepAuth(db, clock.nowMs()));
  every(10_000, "moving the beats of claimed producers", () => moveBeatsOfClaimed(db, clock));
  every(600_000, "deleting uploads that have expired", () => sweepUploads(db, drafts, new Date(clock.nowMs())));
  return async () => {
    await Promise.all(jobs.map((stop) => stop()));
    // If an earlier release starts next, it would not count the orders in the queue.
    await tallyOrders(db).catch((error) => logger.warn({ err: error }, "the last orders were not counted"));
  };
}

const minutes = (count: number) => sql.lit(`${count} minutes`);

/**
 * The background jobs with the moments at which they are due. Jobs that are due at the same moment run in this order. A
 * sandbox sets its clock from one moment to the next.
 */
export function dueJobs(services: Services): DueJob[] {
  const { catalogue, checkout, publishing } = services;
  const reconciler = new Reconciler(checkout, catalogue);
  return [
    {
      name: "orders",
      due: sql`least(
        (select min(created_at) + interval ${minutes(15)} from orders where status = 'pending'),
        (select min(coalesce(asked_at + interval ${minutes(10)}, created_at)) from refunds where status = 'pending'),
        (select min(exclusive_held_until) from beats where exclusive_state = 'held'))`,
      run: () => reconciler.run(),
    },
    {
      name: "checkouts",
      due: sql`(
        select min(least(expires_at, coalesce(asked_at, created_at) + interval ${minutes(10)}))
        from checkouts where status = 'open')`,
      run: () => watchCheckouts(checkout, catalogue),
    },
    {
      name: "publishing",
      // A production in processing waits for its media job.
      due: sql`(select min(publish_at) from beat_productions where stage <> ${sql.lit(stored.processing.stage)})`,
      run: () => publishDue(publishing),
    },
    {
      name: "mails",
      due: sql`(select min(due_at) from outgoing_mails where sent_at is null and failed_at is null)`,
      // The time of a recorded mail is the moment at which it was due, even if the job runs later.
      canWait: true,
      run: () => sendDueMails(services.mails),
    },
  ];
}

/** Tallies the orders of a sandbox, and lets readers see the new counts. */
export const tallyJob =
  ({ database: { query: db } }: AppParts, { catalogue }: Services) =>
  async (): Promise<void> => {
    if ((await tallyOrders(db)) > 0) catalogue.bump();
  };

/**
 * The job at the beginning of each day of a sandbox. It tallies orders and deletes old rows only on the first of a
 * month and on the last day of a call of `advance`: on every simulated day, these statements would take too long.
 */
export const dailyJob =
  (parts: AppParts, services: Services) =>
  async ({ isLast }: { isLast: boolean }): Promise<void> => {
    const { config, database, clock } = parts;
    const { query: db } = database;
    const now = new Date(clock.nowMs());
    if (!isLast && now.getUTCDate() !== 1) return;
    await deleteExpiredEvents(db, now);
    await tallyJob(parts, services)();
    await services.idempotencyKeys.sweep();
    await applyRetention(db, config.dataDir, clock);
  };
