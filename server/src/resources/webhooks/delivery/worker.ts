import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../../clock.ts";
import type { Database } from "../../../database/connection/connect.ts";
import { openSecrets } from "../endpoints/endpoints.ts";
import type { SecretBox } from "../endpoints/secret-box.ts";
import { deliveriesChannel } from "../events/outbox.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { type Attempt, recordAttempts } from "./attempts.ts";
import { skipPending } from "./bulk-changes.ts";
import {
  type ClaimedDelivery,
  claimDeliveries,
  leaseMs,
  nextDue,
  releaseExpiredLeases,
  type Scope,
  slowMs,
} from "./queue.ts";
import type { Outcome, Sender } from "./sender.ts";
import { signatureHeaders } from "./signature.ts";

export interface WorkerParts {
  database: Database;
  clock: Clock;
  log: Pick<Logger, "warn" | "error">;
  sender: Pick<Sender, "send">;
  /** Absent where the scope holds no inbox. */
  inbox?: Pick<Inbox, "receive">;
  secrets: SecretBox;
  scope: Scope;
  /** Called after each attempt that is written down. */
  onAttempt?(attempt: Attempt): void;
  /** Called when the account of an endpoint is to get a mail. */
  onMailDue?(): void;
  /** Requests in flight at the same time. */
  maxInFlight?: number;
  /** From 0 to 1. */
  random?(): number;
}

const defaultMaxInFlight = 1_024;
/** An attempt takes up to 15 s; one that could outlive the lease is not begun. */
const beginWithinMs = leaseMs - 17_000;
const longestSleepMs = 60_000;
const leasesCheckedEveryMs = 5_000;
const retryAfterErrorMs = 1_000;
const finishWithinMs = 10_000;

/**
 * Sends deliveries: claims what is due, sends it, writes down what came of it. It is woken when deliveries are committed
 * and when one becomes due, and sleeps in between. Any number may run side by side.
 */
export class DeliveryWorker {
  readonly #parts: WorkerParts;
  readonly #maxInFlight: number;
  readonly #inFlight = new Map<number, { delivery: ClaimedDelivery; claimedAtMs: number }>();
  #finished: Attempt[] = [];
  #stopping = false;
  #woken = true;
  #wake: () => void = () => {};
  #leasesCheckedAtMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;
  #unfollow: () => void = () => {};

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#maxInFlight = parts.maxInFlight ?? defaultMaxInFlight;
  }

  /** Resolves when the worker listens. */
  async start(): Promise<void> {
    const wake = () => this.wake();
    // Notices may be missed while a lost connection is re-established, so every (re)connection is one.
    this.#unfollow = await this.#parts.database.listener.follow(deliveriesChannel, {
      onNotice: wake,
      onListening: wake,
    });
    this.#running = this.#run();
  }

  /** Looks for due deliveries now. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Claims no more and writes down what ends within ten seconds; what does not is sent again by another worker. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    this.#unfollow();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      this.#woken = false;
      let sleepMs = retryAfterErrorMs;
      try {
        sleepMs = await this.#turn();
      } catch (error) {
        this.#parts.log.error({ err: error }, "webhook deliveries stopped for a moment; trying again");
      }
      await this.#sleep(sleepMs);
    }
    await this.#finish();
  }

  /** Writes down what has ended, takes up what is due; answers how long nothing more will be. */
  async #turn(): Promise<number> {
    const { database, clock, scope } = this.#parts;
    await this.#record();
    // The check is as old as its beginning: a lease that ends while it runs waits for the next one, not longer.
    const checkedAtMs = clock.monotonicMs();
    if (checkedAtMs - this.#leasesCheckedAtMs >= leasesCheckedEveryMs) {
      await releaseExpiredLeases(database.query, new Date(clock.nowMs()));
      this.#leasesCheckedAtMs = checkedAtMs;
    }
    const room = this.#maxInFlight - this.#inFlight.size;
    if (room === 0) return longestSleepMs;
    const claimedAtMs = clock.monotonicMs();
    const slow = [...this.#inFlight.values()].filter(
      ({ delivery, claimedAtMs: sinceMs }) => isSlow(delivery) || claimedAtMs - sinceMs > slowMs,
    ).length;
    const claimed = await claimDeliveries(database.query, {
      scope,
      lease: randomUUID(),
      room,
      slowRoom: Math.max(Math.floor(this.#maxInFlight / 2) - slow, 0),
      now: new Date(clock.nowMs()),
    });
    for (const delivery of claimed) void this.#send(delivery, claimedAtMs);
    if (this.#woken || this.#finished.length > 0) return 0;
    const { deliveryInMs, leaseInMs } = await nextDue(database.query, scope, new Date(clock.nowMs()));
    const leaseCheckInMs = Math.max(leaseInMs ?? longestSleepMs, leasesCheckedEveryMs);
    return Math.min(deliveryInMs ?? longestSleepMs, leaseCheckInMs, longestSleepMs);
  }

  async #send(delivery: ClaimedDelivery, claimedAtMs: number): Promise<void> {
    const { clock } = this.#parts;
    if (clock.monotonicMs() - claimedAtMs > beginWithinMs) return;
    this.#inFlight.set(delivery.id, { delivery, claimedAtMs });
    const startedAt = new Date(clock.nowMs());
    const outcome = await this.#outcome(delivery, startedAt);
    this.#finished.push({ delivery, startedAt, endedAt: new Date(clock.nowMs()), outcome });
    this.#inFlight.delete(delivery.id);
    this.wake();
  }

  async #outcome(delivery: ClaimedDelivery, now: Date): Promise<Outcome> {
    const { sender, inbox, secrets, log } = this.#parts;
    try {
      const request = signedRequest(delivery, secrets, now);
      if (delivery.endpoint.kind !== "inbox") return await sender.send(request);
      if (inbox === undefined)
        throw new Error(`Nothing receives for inboxes, such as endpoint ${delivery.endpoint.id}.`);
      return await inbox.receive({ endpointId: delivery.endpoint.id, deliveryId: delivery.id, ...request });
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.id }, "a webhook delivery could not be prepared");
      const reason = "It could not be signed; the service's log says why.";
      return { status: null, durationMs: 0, error: reason, timedOut: false, answer: "", retryAfterMs: null };
    }
  }

  async #record(): Promise<void> {
    const attempts = this.#finished;
    if (attempts.length === 0) return;
    this.#finished = [];
    const { database, random = Math.random, onAttempt, onMailDue } = this.#parts;
    try {
      const { disabled, isMailDue } = await recordAttempts(database.query, attempts, random);
      for (const endpointId of disabled) await skipPending(database.query, endpointId);
      if (isMailDue) onMailDue?.();
    } catch (error) {
      this.#finished = [...attempts, ...this.#finished];
      throw error;
    }
    if (onAttempt !== undefined) for (const attempt of attempts) onAttempt(attempt);
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#woken || this.#stopping || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }

  async #finish(): Promise<void> {
    const deadlineMs = performance.now() + finishWithinMs;
    while (this.#inFlight.size > 0 && performance.now() < deadlineMs) {
      this.#woken = false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadlineMs - performance.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    await this.#record().catch((error) =>
      this.#parts.log.error({ err: error }, "the last webhook attempts were not written down; they are made again"),
    );
  }
}

const isSlow = ({ endpoint }: ClaimedDelivery): boolean =>
  endpoint.health.concurrency === 1 && endpoint.health.failingSince !== null;

/** The request of a delivery (contract 6.3): every attempt is signed anew. */
function signedRequest(
  delivery: Pick<ClaimedDelivery, "eventId" | "payload" | "endpoint">,
  secrets: SecretBox,
  now: Date,
): { url: string; body: Buffer; headers: Record<string, string> } {
  const body = Buffer.from(delivery.payload);
  const message = { id: delivery.eventId, timestampSeconds: Math.floor(now.getTime() / 1000), body };
  return {
    url: delivery.endpoint.url,
    body,
    headers: signatureHeaders(message, openSecrets(delivery.endpoint, secrets, now)),
  };
}
