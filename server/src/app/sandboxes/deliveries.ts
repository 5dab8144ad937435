import { setTimeout as sleep } from "node:timers/promises";
import { BucketWriter } from "@beatmarket/webhooks/buckets/bucket-writer.ts";
import { DeliveryWorker } from "@beatmarket/webhooks/delivery/worker.ts";
import { Inbox } from "@beatmarket/webhooks/inbox.ts";
import { type Outcome, Sender, type WebhookRequest } from "@beatmarket/webhooks/sender.ts";
import { sql } from "kysely";
import { eventRules } from "../../resources/webhooks/outbox.ts";
import type { AppParts, DueJob } from "../services/scope.ts";

/**
 * A delivery to this host or a subdomain succeeds without a request, because the host stands for a simulated receiver.
 */
const simulatedHost = /^https:\/\/([\w-]+\.)*receiver\.example(\/|$)/;
const pollMs = 5;

const outcome = (over: Partial<Outcome>): Outcome => ({
  status: 200,
  durationMs: 0,
  error: null,
  timedOut: false,
  responseBody: "",
  retryAfterMs: null,
  ...over,
});
const down = outcome({ status: 503, error: "The receiver answered 503 Service Unavailable: a fault of the sandbox." });

/**
 * When each delivery is due. A delivery in the state `sending` is due at once. Of an ordered endpoint, only the first
 * counts.
 */
const pending = sql`
  select case delivery.state when 'sending' then to_timestamp(0) else greatest(endpoint.resume_at, next_attempt_at) end as at
  from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = endpoint_id
    join users account on account.id = endpoint.user_id and account.suspended_at is null
  where endpoint.kind <> 'listen' and (delivery.state = 'sending' or (delivery.state = 'pending' and endpoint.state = 'enabled'
    and (not delivery.ordered or not exists (
      select from webhook_deliveries earlier where earlier.endpoint_id = endpoint.id and earlier.ordered
        and earlier.state = 'pending' and earlier.id < delivery.id))))`;

/** The webhook deliveries of a sandbox, as a job that is due by the sandbox's clock. */
export class SandboxDeliveries implements DueJob {
  readonly name = "webhooks";
  readonly due = sql`(select min(due.at) from (${pending}) as due)`;
  readonly #parts: AppParts;
  readonly #sender: Sender;
  readonly #worker: DeliveryWorker;
  /** Whether receivers are down at a time. */
  isDown: (atMs: number) => boolean = () => false;

  constructor(parts: AppParts) {
    const { database, clock, logger: log, portal } = parts;
    const { secrets, allowPrivate } = portal.webhooks;
    this.#parts = parts;
    this.#sender = new Sender({ userAgent: eventRules.userAgent, allowPrivate, clock });
    const sender = { send: (request: WebhookRequest) => this.#send(request) };
    this.#worker = new DeliveryWorker({
      database,
      clock,
      log,
      rules: eventRules,
      secrets,
      scope: "all",
      sender,
      buckets: new BucketWriter({ sender, allowPrivate }),
      inbox: new Inbox({ db: database.query, clock, secrets, log, rules: eventRules }),
      // Without jitter, so that a retry is due at the same moment on every machine.
      random: () => 0.5,
    });
  }

  start = (): Promise<void> => this.#worker.start();

  /** Sends the deliveries that are due now, and waits until every attempt is recorded. */
  async run(): Promise<void> {
    while (await this.#isBusy()) {
      this.#worker.wake();
      await sleep(pollMs);
    }
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.#sender.close();
  }

  async #send(request: WebhookRequest): Promise<Outcome> {
    if (this.isDown(this.#parts.clock.nowMs())) return down;
    return simulatedHost.test(request.url) ? outcome({}) : this.#sender.send(request);
  }

  async #isBusy(): Promise<boolean> {
    const now = new Date(this.#parts.clock.nowMs());
    const { rows } = await sql<{ busy: boolean }>`
      select exists (select from (${pending}) as due where at <= ${now}::timestamptz) as busy`.execute(
      this.#parts.database.query,
    );
    return rows[0]?.busy === true;
  }
}
