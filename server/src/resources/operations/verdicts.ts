import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import { failedJobs, queueState } from "@beatmarket/jobs/queue.ts";
import { DeliveryQueueWatch } from "@beatmarket/webhooks/monitoring/queue-watch.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type DiskName, diskOf, disks, passedThresholds } from "../../metrics/storage.ts";
import { MailWatch } from "../mails/outbox.ts";
import { PendingPaymentsWatch } from "../orders/checkout/reconciler.ts";

// These limits equal the objectives in docs/alerts.md, for the parts that have one there.
const deliveryLateSeconds = 300;
const jobLateSeconds = 600;
const mailLateSeconds = 3_600;
const paymentLateSeconds = 86_400;
/** A run that has paid no producer for an hour counts as stopped: otherwise it pays at least one producer a second. */
const payoutRunLateSeconds = 3_600;
/** A bank needs at most three days, so an outcome is late after a week. */
const sentLateDays = 7;
/** A verdict counts at most this number of payouts or accounts. */
const maxCounted = 10_000;

const minutes = (seconds: number): string => counted(Math.round(seconds / 60), "minute");

export async function deliveriesVerdict(db: Queryable, now: Date): Promise<Verdict> {
  const watch = new DeliveryQueueWatch();
  await watch.measure(db, now);
  const { oldestDueSeconds, pending } = watch.state;
  if (oldestDueSeconds <= deliveryLateSeconds)
    return ok(`Waiting: ${counted(Number(pending), "delivery", "deliveries")}, none for longer than five minutes.`);
  return wrong(
    `A delivery has been due for ${minutes(oldestDueSeconds)}.`,
    "Start a worker with `npx beatmarket worker` (docs/alerts.md, BeatmarketDeliveriesLate).",
  );
}

export async function endpointsVerdict(db: Queryable): Promise<Verdict> {
  const { rows } = await sql<{ failing: number; disabled: number }>`
      select count(*) filter (where state = 'enabled' and failing_since is not null)::int as failing,
        count(*) filter (where state = 'disabled' and disabled_reason is not null)::int as disabled
      from webhook_endpoints`.execute(db);
  const { failing = 0, disabled = 0 } = rows[0] ?? {};
  if (failing + disabled === 0) return ok("No endpoint fails.");
  return warning(
    `Failing: ${counted(failing, "endpoint")}. Disabled: ${counted(disabled, "endpoint")}.`,
    "Their owners have a mail. Operate → Webhooks in the portal shows the reasons.",
  );
}

export async function mailsVerdict(db: Queryable, now: Date): Promise<Verdict> {
  const watch = new MailWatch();
  await watch.measure(db, now);
  const { count: failed, lastError } = await mailFailures(db, 1);
  const { waiting, oldestSeconds } = watch.state;
  const reason = lastError === null ? "" : ` The last error: ${lastError.replace(/\.?$/, ".")}`;
  if (oldestSeconds > mailLateSeconds)
    return wrong(
      `Waiting: ${counted(waiting, "mail")}, the oldest for ${minutes(oldestSeconds)}.${reason}`,
      "Check the mail server. If no beatmarket server is running, start one: it sends mails, and retries each for three days.",
    );
  if (failed > 0)
    return warning(
      `Given up in the last 30 days: ${counted(failed, "mail")}.${reason}`,
      "Look up the addresses under Operate → Overview in the portal, and contact their owners in another way.",
    );
  return ok(`Waiting: ${counted(waiting, "mail")}. None was given up in the last 30 days.`);
}

export async function jobsVerdict(db: Queryable, now: Date): Promise<Verdict> {
  const { waiting, oldestSeconds } = await queueState(db, now);
  const failed = await failedJobs(db);
  const [first] = failed;
  const reason =
    first === undefined
      ? ""
      : ` The last error, of ${first.kind} ${first.subject}: ${first.last_error.replace(/\.?$/, ".")}`;
  if (oldestSeconds > jobLateSeconds)
    return wrong(
      `A job has been due for ${minutes(oldestSeconds)}.${reason}`,
      "Start a worker, or more of them (docs/alerts.md, BeatmarketMediaJobsWait).",
    );
  if (first !== undefined)
    return warning(
      `${counted(failed.length, "job")} failed and will be tried again.${reason}`,
      "Look for the failing file in the log of the worker.",
    );
  return ok(`Waiting: ${counted(waiting, "job")}. None has failed.`);
}

export async function paymentsVerdict(db: Queryable, now: Date): Promise<Verdict> {
  const watch = new PendingPaymentsWatch();
  await watch.measure(db, now);
  const late = Object.entries(watch.state).filter(([, { oldestSeconds }]) => oldestSeconds > paymentLateSeconds);
  if (late.length === 0) return ok("No order and no refund has been open for longer than a day.");
  const openCounts = late.map(([table, { waiting }]) => counted(waiting, table === "orders" ? "order" : "refund"));
  return warning(
    `Open: ${openCounts.join(" and ")}, the oldest for more than a day.`,
    "Compare the payment provider's dashboard with `npx beatmarket orders list --status pending`.",
  );
}

/**
 * Returns the problems of payouts: a stopped run, producers who cannot be paid, and payouts without the bank's answer.
 */
export async function payoutsVerdict(db: Queryable, now: Date): Promise<Verdict> {
  const problems = [
    await stoppedRunVerdict(db, now),
    await blockedAccountsVerdict(db),
    await unansweredPayoutsVerdict(db, now),
  ].filter((verdict) => verdict !== null);
  if (problems.length === 0)
    return ok("No run is stopped, and no payout waits for other details or for the bank's answer.");
  return {
    state: problems.some(({ state }) => state === "wrong") ? "wrong" : "warning",
    detail: problems.map(({ detail }) => detail).join(" "),
    remedy: problems.map(({ remedy }) => remedy).join(" "),
  };
}

/** Returns a verdict if the open run waits for the balance at Stripe, or has paid no producer for an hour. */
async function stoppedRunVerdict(db: Queryable, now: Date): Promise<Verdict | null> {
  // The payouts of a run are sent in the order of their ids. So the payout before the first open payout was sent last.
  const { rows } = await sql<{ id: number; method: string; unfunded: number | null; seconds: number }>`
    select run.id, run.method, case when next.status = 'pending' and next.refusals > 0 then next.id end as unfunded,
      extract(epoch from ${now}::timestamptz - greatest(run.created_at, run.collected_at, next.sent_at, (
        select coalesce(payouts.settled_at, payouts.sent_at) from payouts where payouts.id < next.id and payouts.run_id = run.id
        order by payouts.id desc limit 1)))::float8 as seconds
    from payout_runs as run left join lateral (
      select id, status, refusals, sent_at from payouts where run_id = run.id and status in ('pending', 'sent')
        and (status = 'pending' or stripe_account is not null) order by id limit 1) as next on true
    where run.finished_at is null`.execute(db);
  const [run] = rows;
  if (run === undefined) return null;
  if (run.unfunded !== null)
    return wrong(
      `Payout run ${run.id} waits: the balance at Stripe does not suffice for payout ${run.unfunded}.`,
      "Add to the balance at Stripe; the server then continues with the run by itself.",
    );
  if (run.seconds <= payoutRunLateSeconds) return null;
  return wrong(
    `Payout run ${run.id} (${run.method}) has paid no producer for ${minutes(run.seconds)}.`,
    "Run `npx beatmarket payouts resume`, which prints the reason.",
  );
}

/** Returns a verdict if the newest payout of a producer failed. Such a producer gets no further payouts. */
async function blockedAccountsVerdict(db: Queryable): Promise<Verdict | null> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from payout_accounts where blocked_reason is not null limit ${maxCounted + 1}) as blocked`.execute(db);
  const count = rows[0]?.count ?? 0;
  if (count === 0) return null;
  return warning(
    `The newest payout of ${counted(count, "producer")} failed.`,
    "Wait for new details, or try again under Operate → Payouts.",
  );
}

/**
 * Returns a verdict if payouts of a bank file have had no outcome for a week. Stripe reports the outcomes of its
 * payouts itself.
 */
async function unansweredPayoutsVerdict(db: Queryable, now: Date): Promise<Verdict | null> {
  const { rows } = await sql<{ count: number; run: number | null }>`
    select count(*)::int as count, min(run_id)::int as run from (
      select run_id, sent_at from payouts where status = 'sent' and stripe_account is null
      order by run_id, id limit ${maxCounted + 1}) as sent
    where sent_at <= ${new Date(now.getTime() - sentLateDays * 86_400_000)}::timestamptz`.execute(db);
  const { count = 0, run = null } = rows[0] ?? {};
  if (count === 0) return null;
  return warning(
    `${counted(count, "payout")} ${count === 1 ? "was" : "were"} sent more than ${sentLateDays} days ago, and no outcome is entered.`,
    `Enter what your bank reports for each run, beginning with \`npx beatmarket payouts paid --run ${run}\`. For a payout that came back, run \`npx beatmarket payouts failed\`.`,
  );
}

/** `unused`: the deployment does not use this part. `unchecked`: another check has to pass first. */
type CheckState = "ok" | "warning" | "wrong" | "unused" | "unchecked";

export interface Verdict {
  state: CheckState;
  /** A sentence that describes the state. */
  detail: string;
  /**
   * A sentence that tells the operator what to do. Null if there is nothing to do, or if `detail` has the instruction.
   */
  remedy: string | null;
}

export const ok = (detail: string): Verdict => ({ state: "ok", detail, remedy: null });
export const unused = (detail: string): Verdict => ({ state: "unused", detail, remedy: null });
export const warning = (detail: string, remedy: string): Verdict => ({ state: "warning", detail, remedy });
export const wrong = (detail: string, remedy: string | null): Verdict => ({ state: "wrong", detail, remedy });

/** Returns whether the disks of these folders have enough space. */
export async function spaceVerdict(folders: Partial<Record<DiskName, string>>): Promise<Verdict> {
  const freeSpaces: string[] = [];
  const full: DiskName[] = [];
  for (const [name, folder] of Object.entries(folders) as [DiskName, string][]) {
    const disk = await diskOf(folder);
    if (disk === null) continue;
    if (passedThresholds(disk) > 0) full.push(name);
    freeSpaces.push(
      `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)} are free for ${disks[name].setting}`,
    );
  }
  const detail = freeSpaces.length === 0 ? "No folder is measured yet." : `${freeSpaces.join(", ")}.`;
  if (full.length === 0) return ok(detail);
  const failingWork = full.map((name) => disks[name].fails).join(", ");
  const remedy = `Make room, or ${failingWork} will fail (docs/operating.md, "What grows, and what bounds it").`;
  return full.includes("data") ? wrong(detail, remedy) : warning(detail, remedy);
}

// The verdicts below need only the state of this instance.

/** The limit in docs/alerts.md. */
const baseBackupHours = 26;

/** Returns whether all instances count calls together. `limits` is null if this instance counts calls in memory. */
export function limitsVerdict(limits: { readonly problem: string | null } | null): Verdict {
  if (limits === null) return unused("This instance counts calls itself. Several instances need REDIS_URL.");
  if (limits.problem === null) return ok("All instances count calls together, in Redis.");
  return wrong(
    `Each instance counts calls by itself: ${limits.problem.replace(/\.?$/, ".")}`,
    "Bring Redis back. Until then a caller can use the full limit on every instance.",
  );
}

/** Returns whether the newest backup of this instance is recent. `state` is null without BACKUP_VAULT. */
export function backupsVerdict(
  state: { readonly backedUpAt: Date | null; readonly archivedUntil: Date | null } | null,
  now: Date,
): Verdict {
  const create = "Run `npx beatmarket doctor`, which reads the vault, then `npx beatmarket backup create`.";
  if (state === null) return unused("BACKUP_VAULT is not set here, so this instance makes no backups.");
  if (state.backedUpAt === null) return wrong("This instance knows of no backup yet.", create);
  const hours = (now.getTime() - state.backedUpAt.getTime()) / 3_600_000;
  const age = `The newest backup is from ${state.backedUpAt.toISOString()}.`;
  return hours > baseBackupHours ? wrong(age, create) : ok(age);
}

export interface FailedMail {
  recipient: string;
  template: string;
  failed_at: Date;
  last_error: string | null;
}

export interface MailFailures {
  count: number;
  /** The newest failed mails. */
  newest: FailedMail[];
  /**
   * The error of a mail that will be tried again, or else of the newest mail in `newest`. Null if there is no error.
   */
  lastError: string | null;
}

/** Returns the mails that were given up. They stay in the table for 30 days. */
async function mailFailures(db: Queryable, atMost: number): Promise<MailFailures> {
  const failed = db.selectFrom("outgoing_mails").where("failed_at", "is not", null);
  const { count } = await failed.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const newest = await failed
    .select(["recipient", "template", "failed_at", "last_error"])
    .orderBy("failed_at", "desc")
    .limit(atMost)
    .execute();
  const { rows } = await sql<{ last_error: string }>`
    select last_error from outgoing_mails where sent_at is null and last_error is not null
    order by coalesce(failed_at, due_at) desc limit 1`.execute(db);
  return { count: Number(count), newest: newest as FailedMail[], lastError: rows[0]?.last_error ?? null };
}
