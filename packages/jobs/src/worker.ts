import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { Database } from "@beatmarket/postgres/connection/connect.ts";
import { QueuePoller } from "@beatmarket/postgres/queue-poller.ts";
import { StorageUnavailable } from "@beatmarket/storage/storage.ts";
import type { RawBuilder } from "kysely";
import type { Logger } from "pino";
import {
  claimJob,
  completeJob,
  failJob,
  firstDue,
  type Job,
  jobsChannel,
  leaseMs,
  nextDueMs,
  releaseJob,
  renewLease,
} from "./queue.ts";

/**
 * The work of a kind of job. Both methods are idempotent: a worker may be killed at any step and the method runs again.
 */
export interface JobHandler {
  /**
   * Does the job, in child processes if it uses a processor for long. Ends soon after `signal` is aborted. The worker
   * aborts it when it stops, when it has lost the lease, or after half an hour. An error is a failed attempt, and the
   * last one if `isFinal` is true (`ExplainedFailure`). A StorageUnavailable counts as no attempt: the job is retried
   * until the storage responds.
   */
  run(job: Job, options: { signal: AbortSignal }): Promise<void>;
  /** Records that the job has failed finally. `reason` is a sentence for the user. */
  giveUp(job: Job, reason: string): Promise<void>;
}

/** An error with a sentence for the user. */
export interface ExplainedFailure {
  reason: string;
  /** Whether a retry would fail the same way. */
  isFinal: boolean;
}

/** Thrown by a handler if the job cannot be done before `until`. Counts as no attempt. */
export class JobPostponed extends Error {
  override readonly name = "JobPostponed";
  readonly until: Date;

  constructor(until: Date) {
    super(`The job is postponed until ${until.toISOString()}.`);
    this.until = until;
  }
}

export type JobHandlers = Readonly<Record<string, JobHandler>>;

export interface JobWorkerOptions {
  database: Database;
  clock: Clock;
  log: Pick<Logger, "warn" | "error">;
  handlers: JobHandlers;
  /** The maximum number of concurrent jobs. */
  slots?: number | undefined;
  /** Called after each counted attempt that ended. */
  onAttempt?(attempt: { kind: string; durationMs: number; hasFailed: boolean }): void;
}

/**
 * At least two, so that a job of minutes (a long recording) does not delay jobs of seconds. A job uses one processor.
 */
const defaultSlots = Math.max(2, Math.floor(availableParallelism() / 4));
const maxAttempts = 3;
const retryDelaysMs = [10_000, 60_000];
const renewalIntervalMs = leaseMs / 4;
/** Notices wake the worker. The poll replaces lost notices. */
const maxSleepMs = 30_000;
/** A due job that could not be claimed is locked by another worker's claim, for milliseconds. */
const minSleepMs = 50;
const storageRetryMs = 15_000;
/** Longer than any job. */
const maxJobMs = 30 * 60_000;
const stopTimeoutMs = 10_000;
const unexplained = "It could not be processed in three attempts; try again later, or with another file.";

/**
 * Claims due jobs and runs their handlers. Any number of workers may run at once. A job runs at least once: when a
 * worker dies, its lease expires and another worker claims the job. An attempt is counted when it begins, so that a job
 * that kills its worker each time also ends.
 */
export class JobWorker {
  readonly #options: JobWorkerOptions;
  readonly #kinds: readonly string[];
  readonly #slots: number;
  readonly #jobs = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #poller: QueuePoller;

  constructor(options: JobWorkerOptions) {
    this.#options = options;
    this.#kinds = Object.keys(options.handlers);
    this.#slots = options.slots ?? defaultSlots;
    this.#poller = new QueuePoller({
      database: options.database,
      channel: jobsChannel,
      poll: () => this.#poll(),
      onError: (error) => options.log.error({ err: error }, "polling the queue of jobs failed; retrying"),
    });
  }

  /** Resolves when the worker listens for notices. */
  start(): Promise<void> {
    return this.#poller.start();
  }

  /** An SQL expression for the due time of the worker's next job. */
  get firstDue(): RawBuilder<Date | null> {
    return firstDue(this.#kinds);
  }

  /** Polls the queue now. */
  wake(): void {
    this.#poller.wake();
  }

  /**
   * Runs due jobs one after another, until no job is due or `isOver` returns true. Used instead of `start` by a program
   * that sets the clock, so that the order is always the same.
   */
  async runDue(isOver: () => boolean = () => false): Promise<void> {
    while (!isOver() && !this.#stopping.signal.aborted) {
      const job = await this.#claim();
      if (job === null) return;
      await this.#begin(job);
    }
  }

  /** Aborts the running jobs and returns them to the queue, without counting their attempts. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error("The worker stops."));
    await this.#poller.stop();
    await withTimeout(Promise.all(this.#jobs), stopTimeoutMs, () => new Error("Jobs did not stop in time.")).catch(
      (error) => this.#options.log.warn({ err: error }, "jobs did not stop; they run again when their leases expire"),
    );
  }

  /** Starts due jobs until all slots are taken. Returns the milliseconds until the next poll. */
  async #poll(): Promise<number> {
    const { database, clock } = this.#options;
    while (this.#jobs.size < this.#slots && !this.#stopping.signal.aborted) {
      const job = await this.#claim();
      if (job === null) {
        const now = new Date(clock.nowMs());
        const dueInMs = (await nextDueMs(database.query, this.#kinds, now)) ?? maxSleepMs;
        return Math.min(Math.max(dueInMs, minSleepMs), maxSleepMs);
      }
      void this.#begin(job).then(() => this.wake());
    }
    return maxSleepMs;
  }

  #claim(): Promise<Job | null> {
    const { database, clock } = this.#options;
    const now = new Date(clock.nowMs());
    return claimJob(database.query, { kinds: this.#kinds, lease: randomUUID(), now });
  }

  /** Resolves when the attempt has ended. */
  #begin(job: Job): Promise<void> {
    const work = this.#work(job)
      .catch((error) =>
        this.#options.log.warn(
          { err: error, ...logFields(job) },
          "the outcome of a job was not recorded; the job runs again when its lease expires",
        ),
      )
      .finally(() => this.#jobs.delete(work));
    this.#jobs.add(work);
    return work;
  }

  /** Runs one attempt and records its outcome. Rejects if the outcome could not be recorded. */
  async #work(job: Job): Promise<void> {
    const { database, clock, handlers, log, onAttempt } = this.#options;
    const db = database.query;
    const handler = handlers[job.kind];
    if (handler === undefined) throw new Error(`No handler for jobs of kind ${job.kind}.`);
    if (job.attempts > maxAttempts) return this.#giveUp(handler, job, unexplained);
    const lease = this.#keepLease(job);
    const startedMs = clock.monotonicMs();
    const { signal: stopping } = this.#stopping;
    const signal = AbortSignal.any([stopping, lease.lost, AbortSignal.timeout(maxJobMs)]);
    let failure: { error: unknown } | null = null;
    try {
      await handler.run(job, { signal });
    } catch (error) {
      failure = { error };
    } finally {
      lease.release();
    }
    if (lease.lost.aborted) throw lease.lost.reason;
    if (failure?.error instanceof JobPostponed) return releaseJob(db, job, failure.error.until);
    if (failure?.error instanceof StorageUnavailable) {
      log.warn({ err: failure.error, ...logFields(job) }, "a job waits for the storage");
      return releaseJob(db, job, new Date(clock.nowMs() + storageRetryMs));
    }
    if (failure !== null && stopping.aborted) return releaseJob(db, job, new Date(clock.nowMs()));
    onAttempt?.({ kind: job.kind, durationMs: clock.monotonicMs() - startedMs, hasFailed: failure !== null });
    if (failure === null) return completeJob(db, job);
    const { error } = failure;
    const { reason = unexplained, isFinal = false } = error as Partial<ExplainedFailure>;
    if (!isFinal) log.warn({ err: error, ...logFields(job) }, "an attempt at a job failed");
    if (isFinal || job.attempts >= maxAttempts) return this.#giveUp(handler, job, reason);
    const retryAt = new Date(clock.nowMs() + (retryDelaysMs[job.attempts - 1] ?? 0));
    return failJob(db, job, { error: String(error), retryAt });
  }

  async #giveUp(handler: JobHandler, job: Job, reason: string): Promise<void> {
    await handler.giveUp(job, reason);
    await completeJob(this.#options.database.query, job);
  }

  /** Renews the lease until `release` is called. Aborts `lost` when another worker may have leased the job. */
  #keepLease(job: Job): { lost: AbortSignal; release(): void } {
    const { database, log } = this.#options;
    const lease = new AbortController();
    const lose = () => lease.abort(new Error("The lease of the job expired."));
    const expiry = setTimeout(lose, leaseMs).unref();
    const renew = async () => {
      if (await renewLease(database.query, job)) expiry.refresh();
      else lose();
    };
    const warn = (error: unknown) =>
      log.warn({ err: error, ...logFields(job) }, "renewing the lease of a job failed; retrying");
    const renewal = setInterval(() => void renew().catch(warn), renewalIntervalMs).unref();
    return {
      lost: lease.signal,
      release: () => {
        clearInterval(renewal);
        clearTimeout(expiry);
      },
    };
  }
}

const logFields = ({ id, kind, subject, attempts }: Job) => ({ jobId: id, kind, subject, attempts });
