import { counted } from "@beatmarket/foundation/text/counted.ts";
import { failedJobs, queueState } from "@beatmarket/jobs/queue.ts";
import { DeliveryQueueWatch } from "@beatmarket/webhooks/monitoring/queue-watch.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { mailFailures } from "../mails/failures.ts";
import { MailWatch } from "../mails/outbox.ts";
import { PendingPaymentsWatch } from "../orders/pending-watch.ts";
import { ok, type Verdict, warning, wrong } from "./verdict.ts";

// Where docs/alerts.md has an objective, these are its limits.
const deliveryLateSeconds = 300;
const jobLateSeconds = 600;
const mailLateSeconds = 3_600;
const paymentLateSeconds = 86_400;

const minutes = (seconds: number): string => counted(Math.round(seconds / 60), "minute");

export async function deliveriesVerdict(db: Queryable, now: Date): Promise<Verdict> {
  const watch = new DeliveryQueueWatch();
  await watch.measure(db, now);
  const { oldestDueSeconds, pending } = watch.state;
  if (oldestDueSeconds <= deliveryLateSeconds)
    return ok(`${counted(Number(pending), "delivery", "deliveries")} wait, none for longer than five minutes.`);
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
    `${counted(failing, "endpoint")} fail, and ${disabled} are disabled.`,
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
      `${counted(waiting, "mail")} wait, the oldest for ${minutes(oldestSeconds)}.${reason}`,
      "Let the mail server take them, or start the server, which sends them; they are tried for three days.",
    );
  if (failed > 0)
    return warning(
      `${counted(failed, "mail")} of the last 30 days was given up.${reason}`,
      "Look at the addresses under Operate → Overview in the portal, and reach their readers in another way.",
    );
  return ok(`${counted(waiting, "mail")} wait, and none was given up in the last 30 days.`);
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
      "Look into the log of the worker for the file that it names.",
    );
  return ok(`${counted(waiting, "job")} wait, and none has failed.`);
}

export async function paymentsVerdict(db: Queryable, now: Date): Promise<Verdict> {
  const watch = new PendingPaymentsWatch();
  await watch.measure(db, now);
  const late = Object.entries(watch.state).filter(([, { oldestSeconds }]) => oldestSeconds > paymentLateSeconds);
  if (late.length === 0) return ok("No order and no refund has been open for longer than a day.");
  const named = late.map(([table, { waiting }]) => `${waiting} ${table}`).join(" and ");
  return warning(
    `${named} are open, the oldest for more than a day.`,
    "Look at the payment provider, and at npx beatmarket orders list --status pending.",
  );
}
