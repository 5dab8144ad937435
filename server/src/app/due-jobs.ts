import { deleteExpiredEvents } from "@beatmarket/webhooks/background-jobs.ts";
import { sql } from "kysely";
import { publishDue } from "../resources/beats/publishing/publish-due.ts";
import { watchCheckouts } from "../resources/checkouts/checkout-watch.ts";
import { sendDueMails } from "../resources/mails/outbox.ts";
import { Reconciler } from "../resources/orders/checkout/reconciler.ts";
import { tallyOrders } from "../resources/orders/tally.ts";
import { applyRetention } from "./background.ts";
import type { AppParts, DueJob } from "./services/scope.ts";
import type { Services } from "./services.ts";

const minutes = (count: number) => sql.lit(`${count} minutes`);

/**
 * The background jobs with the moments at which they are due, in the order in which they run at one moment. A sandbox sets
 * its clock from one moment to the next.
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
      due: sql`(select min(publish_at) from beat_productions)`,
      run: () => publishDue(publishing),
    },
    {
      name: "mails",
      due: sql`(select min(due_at) from outgoing_mails where sent_at is null and failed_at is null)`,
      run: () => sendDueMails(services.mails),
    },
  ];
}

/** What a sandbox does once a day. Often enough for what is deleted after days. */
export const dailyJob =
  ({ config, database: { query: db }, clock }: AppParts, { catalogue, idempotencyKeys }: Services) =>
  async (): Promise<void> => {
    if ((await tallyOrders(db)) > 0) catalogue.bump();
    await idempotencyKeys.sweep();
    await deleteExpiredEvents(db, new Date(clock.nowMs()));
    await applyRetention(db, config.dataDir, clock);
  };
