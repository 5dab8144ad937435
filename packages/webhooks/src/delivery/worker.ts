import { randomUUID } from "node:crypto";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { inSpan, type SpanOptions, traceHeader } from "@beatmarket/foundation/tracing/tracing.ts";
import type { Database } from "@beatmarket/postgres/connection/connect.ts";
import { QueuePoller } from "@beatmarket/postgres/queue-poller.ts";
import type { Logger } from "pino";
import { batchObject } from "../buckets/batch-object.ts";
import type { BucketWriter } from "../buckets/bucket-writer.ts";
import { skipPending } from "../bulk-changes.ts";
import { openBucketKey } from "../endpoints/destination.ts";
import { openSecrets } from "../endpoints/endpoints.ts";
import type { EventRules } from "../event-rules.ts";
import { deliveriesChannel } from "../events/outbox.ts";
import type { Inbox } from "../inbox.ts";
import type { SecretBox } from "../secret-box.ts";
import { failedOutcome, type Outcome, type Sender, type WebhookRequest } from "../sender.ts";
import { signatureHeaders, unsignedHeaders } from "../signature.ts";
import { type Attempt, type EndpointChanges, recordAttempts } from "./attempts.ts";
import { type Batch, claimBatches } from "./batches.ts";
import {
  type ClaimedDelivery,
  claimDeliveries,
  leaseMs,
  nextDue,
  releaseExpiredLeases,
  type Scope,
  slowMs,
} from "./queue.ts";
import { ResponseBudget } from "./response-budget.ts";

export interface WorkerOptions {
  database: Database;
  clock: Clock;
  log: Pick<Logger, "warn" | "error">;
  sender: Pick<Sender, "send">;
  /** Required if the scope includes an inbox. */
  inbox?: Pick<Inbox, "receive">;
  /** Without it, the worker claims no deliveries to buckets. */
  buckets?: Pick<BucketWriter, "write">;
  rules: EventRules;
  secrets: SecretBox;
  scope: Scope;
  /** Called after each recorded attempt. */
  onAttempt?(attempt: Attempt): void;
  /** Called when a mail to an endpoint's owner becomes due. */
  onMailDue?(): void;
  /** The maximum number of concurrent requests. */
  maxInFlight?: number;
  /** Returns a number from 0 to 1. */
  random?(): number;
}

const defaultMaxInFlight = 1_024;
/** A batch takes a few MB of memory. */
const maxBatchesInFlight = 32;
/** An attempt takes up to 15 s. If it starts later than this after the claim, its lease could expire before it ends. */
const maxStartDelayMs = leaseMs - 17_000;
const maxSleepMs = 60_000;
const leaseCheckIntervalMs = 5_000;
const retryBlockedMs = 100;
const drainTimeoutMs = 10_000;

/**
 * Claims due deliveries, sends them and records the attempts. Wakes when deliveries are committed and when a delivery
 * becomes due. Any number of workers may run at once. Delivery is at least once: if a worker dies, another one sends
 * its deliveries again.
 */
export class DeliveryWorker {
  readonly #options: WorkerOptions;
  readonly #maxInFlight: number;
  readonly #inFlight = new Map<number, { delivery: ClaimedDelivery; claimedAtMs: number }>();
  readonly #batches = new Set<Batch>();
  readonly #responses: ResponseBudget;
  readonly #poller: QueuePoller;
  #unrecorded: Attempt[] = [];
  /**
   * Attempts that wait until the row of their endpoint is unlocked. After the end of its lease, an attempt is dropped
   * and its delivery is sent again.
   */
  #blocked: Attempt[] = [];
  #leasesCheckedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#maxInFlight = options.maxInFlight ?? defaultMaxInFlight;
    this.#responses = new ResponseBudget(options.clock);
    this.#poller = new QueuePoller({
      database: options.database,
      channel: deliveriesChannel,
      poll: () => this.#poll(),
      onError: (error) => options.log.error({ err: error }, "polling the webhook queue failed; retrying"),
    });
  }

  /** Resolves when the worker listens for notifications. */
  start(): Promise<void> {
    return this.#poller.start();
  }

  /** Polls the queue now. */
  wake(): void {
    this.#poller.wake();
  }

  /**
   * Stops claiming and waits up to ten seconds for requests in flight. Another worker repeats the unfinished requests.
   */
  async stop(): Promise<void> {
    await this.#poller.stop();
    await this.#drain();
  }

  /** Records finished attempts and claims due deliveries. Returns the milliseconds until the next poll. */
  async #poll(): Promise<number> {
    const { database, clock, scope } = this.#options;
    await this.#record();
    // The time before the check, so that the next check releases a lease that expires during this one.
    const checkedAtMs = clock.monotonicMs();
    if (checkedAtMs - this.#leasesCheckedAtMs >= leaseCheckIntervalMs) {
      await releaseExpiredLeases(database.query, new Date(clock.nowMs()));
      this.#leasesCheckedAtMs = checkedAtMs;
    }
    await this.#claimBatches();
    // Unrecorded attempts count as in flight, because recording them may disable their endpoints.
    const limit = this.#maxInFlight - this.#inFlight.size - this.#unrecorded.length;
    if (limit <= 0) return maxSleepMs;
    const claimedAtMs = clock.monotonicMs();
    const slow = [...this.#inFlight.values()].filter(
      ({ delivery, claimedAtMs: sinceMs }) => isSlow(delivery) || claimedAtMs - sinceMs > slowMs,
    ).length;
    const claimed = await claimDeliveries(database.query, {
      scope,
      lease: randomUUID(),
      limit,
      slowLimit: Math.max(Math.ceil(this.#maxInFlight / 2) - slow, 0),
      now: new Date(clock.nowMs()),
    });
    for (const delivery of claimed) void this.#send(delivery, claimedAtMs);
    if (this.#poller.isAwake || this.#unrecorded.length > 0) return 0;
    const { deliveryInMs, leaseInMs } = await nextDue(database.query, scope, new Date(clock.nowMs()));
    const leaseCheckInMs = Math.max(leaseInMs, leaseCheckIntervalMs);
    const blockedInMs = this.#blocked.length > 0 ? retryBlockedMs : maxSleepMs;
    return Math.min(deliveryInMs ?? maxSleepMs, leaseCheckInMs, blockedInMs);
  }

  async #claimBatches(): Promise<void> {
    const { database, clock, buckets } = this.#options;
    const limit = maxBatchesInFlight - this.#batches.size;
    if (buckets === undefined || limit <= 0) return;
    const claimedAtMs = clock.monotonicMs();
    const slow = [...this.#batches].filter(
      ([{ failingSince, lastSuccessAt }]) => failingSince !== null || lastSuccessAt === null,
    ).length;
    const batches = await claimBatches(database.query, {
      lease: randomUUID(),
      limit,
      slowLimit: Math.max(maxBatchesInFlight / 2 - slow, 0),
      now: new Date(clock.nowMs()),
    });
    for (const batch of batches) void this.#write(buckets, batch, claimedAtMs);
  }

  async #write(buckets: Pick<BucketWriter, "write">, batch: Batch, claimedAtMs: number): Promise<void> {
    const { clock, random = Math.random } = this.#options;
    const [first] = batch;
    if (clock.monotonicMs() - claimedAtMs > maxStartDelayMs) return;
    this.#batches.add(batch);
    const startedAt = new Date(clock.nowMs());
    const outcome = await traced("webhook batch", spanOf(first, { "beatmarket.batch_size": batch.length }), () =>
      this.#attemptBatch(buckets, batch, startedAt),
    );
    const endedAt = new Date(clock.nowMs());
    const shared = random();
    for (const delivery of batch)
      this.#unrecorded.push({
        delivery,
        startedAt,
        endedAt,
        outcome: this.#clipResponse(delivery, outcome),
        random: shared,
      });
    this.#batches.delete(batch);
    this.wake();
  }

  async #attemptBatch(buckets: Pick<BucketWriter, "write">, batch: Batch, now: Date): Promise<Outcome> {
    const { secrets, rules } = this.#options;
    const [{ endpointId, url }] = batch;
    try {
      const signing = openSecrets(endpointId, batch[0], secrets, now);
      const key = openBucketKey(endpointId, batch[0], secrets);
      return await buckets.write({ url, key, object: await batchObject(batch, signing, now, rules) });
    } catch (error) {
      return this.#signingFailure(error, batch[0]);
    }
  }

  async #send(delivery: ClaimedDelivery, claimedAtMs: number): Promise<void> {
    const { clock, random = Math.random } = this.#options;
    if (clock.monotonicMs() - claimedAtMs > maxStartDelayMs) return;
    this.#inFlight.set(delivery.id, { delivery, claimedAtMs });
    const startedAt = new Date(clock.nowMs());
    const outcome = await traced("webhook delivery", spanOf(delivery, { "beatmarket.delivery_id": delivery.id }), () =>
      this.#attempt(delivery, startedAt),
    );
    const endedAt = new Date(clock.nowMs());
    this.#unrecorded.push({
      delivery,
      startedAt,
      endedAt,
      outcome: this.#clipResponse(delivery, outcome),
      random: random(),
    });
    this.#inFlight.delete(delivery.id);
    this.wake();
  }

  async #attempt(delivery: ClaimedDelivery, now: Date): Promise<Outcome> {
    const { sender, inbox } = this.#options;
    const { id: deliveryId, endpointId, kind } = delivery;
    try {
      const request = signedRequest(delivery, this.#options, now);
      if (kind !== "inbox") return await sender.send(request);
      if (inbox === undefined) throw new Error(`The worker has no inbox to receive for endpoint ${endpointId}.`);
      return await inbox.receive({ endpointId, deliveryId, ...request });
    } catch (error) {
      return this.#signingFailure(error, delivery);
    }
  }

  #signingFailure(error: unknown, { id: deliveryId }: ClaimedDelivery): Outcome {
    this.#options.log.error({ err: error, deliveryId }, "signing a webhook delivery failed");
    return failedOutcome("It could not be signed; the service's log says why.");
  }

  readonly #clipResponse = ({ userId }: ClaimedDelivery, outcome: Outcome): Outcome => ({
    ...outcome,
    responseBody: this.#responses.clip(userId, outcome.responseBody),
  });

  async #record(): Promise<void> {
    const sinceMs = this.#options.clock.nowMs() - leaseMs;
    const attempts = [...this.#blocked.filter(({ endedAt }) => endedAt.getTime() > sinceMs), ...this.#unrecorded];
    this.#blocked = [];
    this.#unrecorded = [];
    if (attempts.length === 0) return;
    const { database, onAttempt, onMailDue } = this.#options;
    let changes: EndpointChanges;
    try {
      changes = await recordAttempts(database.query, attempts);
    } catch (error) {
      this.#unrecorded = [...attempts, ...this.#unrecorded];
      throw error;
    }
    this.#blocked = changes.blocked;
    if (changes.isMailDue) onMailDue?.();
    if (onAttempt !== undefined)
      for (const attempt of new Set(attempts).difference(new Set(changes.blocked))) onAttempt(attempt);
    for (const endpointId of changes.disabled) await skipPending(database.query, endpointId);
  }

  async #drain(): Promise<void> {
    const deadlineMs = performance.now() + drainTimeoutMs;
    while (this.#inFlight.size + this.#batches.size > 0 && performance.now() < deadlineMs)
      await this.#poller.nextWake(deadlineMs - performance.now());
    await this.#record().catch((error) =>
      this.#options.log.error({ err: error }, "recording the last webhook attempts failed; they will be repeated"),
    );
  }
}

/** Whether a delivery is likely to be slow: its endpoint never succeeded, or fails and gets one request at a time. */
const isSlow = ({ concurrency, failingSince, lastSuccessAt }: ClaimedDelivery): boolean =>
  lastSuccessAt === null || (concurrency === 1 && failingSince !== null);

/**
 * The span of an attempt continues the trace of the request or job that caused the event. It has only the host of the
 * address, since the rest may be a secret.
 */
const spanOf = (
  { traceContext, eventId, type, attempts, url }: ClaimedDelivery,
  attributes: SpanOptions["attributes"],
): SpanOptions => ({
  kind: "client",
  parent: traceContext,
  attributes: {
    "server.address": URL.parse(url)?.hostname ?? "",
    "beatmarket.event_id": eventId,
    "beatmarket.event_type": type,
    "beatmarket.attempt": attempts + 1,
    ...attributes,
  },
});

const traced = (name: string, options: SpanOptions, attempt: () => Promise<Outcome>): Promise<Outcome> =>
  inSpan(name, options, async (span) => {
    const outcome = await attempt();
    if (outcome.status !== null) span.set({ "http.response.status_code": outcome.status });
    if (outcome.error !== null) span.fail(outcome.error);
    return outcome;
  });

/** The signed request of one attempt. Each attempt has its own timestamp and signatures. */
function signedRequest(
  delivery: ClaimedDelivery,
  { secrets, rules }: Pick<WorkerOptions, "secrets" | "rules">,
  now: Date,
): WebhookRequest {
  const body = Buffer.from(rules.bodyOf(delivery.payload, delivery.version));
  const message = { id: delivery.eventId, timestampSeconds: Math.floor(now.getTime() / 1000), body };
  const signatures = signatureHeaders(message, openSecrets(delivery.endpointId, delivery, secrets, now));
  const unsigned = unsignedHeaders(delivery.eventId, delivery.version, rules);
  return { url: delivery.url, body, headers: { ...signatures, ...unsigned, ...traceHeader() } };
}
