import { sql } from "kysely";
import { failedJobs, queueState } from "../../resources/jobs/queries.ts";
import { mailFailures } from "../../resources/mails/failures.ts";
import { MailWatch } from "../../resources/mails/outbox.ts";
import { PendingPaymentsWatch } from "../../resources/orders/pending-watch.ts";
import { DeliveryQueueWatch } from "../../resources/webhooks/monitoring/queue-watch.ts";
import { counted } from "../terminal/progress-bar.ts";
import { type DatabaseCheck, ok, type Verdict, warning, wrong } from "./check.ts";

// Where docs/alerts.md has an objective, these are its limits.
const deliveryLateSeconds = 300;
const jobLateSeconds = 600;
const mailLateSeconds = 3_600;
const paymentLateSeconds = 86_400;

const minutes = (seconds: number): string => counted(Math.round(seconds / 60), "minute");

const deliveries: DatabaseCheck = {
  name: "webhook queue",
  run: async ({ database, clock }) => {
    const watch = new DeliveryQueueWatch();
    await watch.measure(database.query, new Date(clock.nowMs()));
    const { oldestDueSeconds, pending } = watch.state;
    if (oldestDueSeconds <= deliveryLateSeconds)
      return ok(`${counted(Number(pending), "delivery", "deliveries")} wait, none for longer than five minutes.`);
    return wrong(
      `A delivery has been due for ${minutes(oldestDueSeconds)}.`,
      "Start a worker with `npx beatmarket worker` (docs/alerts.md, BeatmarketDeliveriesLate).",
    );
  },
};

const endpoints: DatabaseCheck = {
  name: "webhook endpoints",
  run: async ({ database }) => {
    const { rows } = await sql<{ failing: number; disabled: number }>`
      select count(*) filter (where state = 'enabled' and failing_since is not null)::int as failing,
        count(*) filter (where state = 'disabled' and disabled_reason is not null)::int as disabled
      from webhook_endpoints`.execute(database.query);
    const { failing = 0, disabled = 0 } = rows[0] ?? {};
    if (failing + disabled === 0) return ok("No endpoint fails.");
    return warning(
      `${counted(failing, "endpoint")} fail, and ${disabled} are disabled.`,
      "Their owners have a mail. Operate → Webhooks in the portal shows the reasons.",
    );
  },
};

const mails: DatabaseCheck = {
  name: "mail queue",
  run: async ({ database, clock }) => {
    const watch = new MailWatch();
    await watch.measure(database.query, new Date(clock.nowMs()));
    const { count: failed, lastError } = await mailFailures(database.query, 1);
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
  },
};

const jobs: DatabaseCheck = {
  name: "media jobs",
  run: async ({ database, clock }) => {
    const { waiting, oldestSeconds } = await queueState(database.query, new Date(clock.nowMs()));
    const failed = await failedJobs(database.query);
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
  },
};

const payments: DatabaseCheck = {
  name: "open payments",
  run: async ({ database, clock }): Promise<Verdict> => {
    const watch = new PendingPaymentsWatch();
    await watch.measure(database.query, new Date(clock.nowMs()));
    const late = Object.entries(watch.state).filter(([, { oldestSeconds }]) => oldestSeconds > paymentLateSeconds);
    if (late.length === 0) return ok("No order and no refund has been open for longer than a day.");
    const named = late.map(([table, { waiting }]) => `${waiting} ${table}`).join(" and ");
    return warning(
      `${named} are open, the oldest for more than a day.`,
      "Look at the payment provider, and at npx beatmarket orders list --status pending.",
    );
  },
};

export const queueChecks: readonly DatabaseCheck[] = [deliveries, endpoints, mails, jobs, payments];
