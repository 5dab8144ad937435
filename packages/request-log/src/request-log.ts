import type { Clock } from "@beatmarket/foundation/clock.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { Database } from "@beatmarket/postgres/connection/connect.ts";
import type { Logger } from "pino";
import type { RequestLogEntry } from "./entry.ts";
import type { CallStore } from "./storage/call-store.ts";
import { LogBatch } from "./storage/log-batch.ts";
import { PostgresCalls } from "./storage/postgres-calls.ts";
import { deleteRollups } from "./storage/rollups.ts";

/**
 * The maximum number of refused calls that are kept in one minute. Further refused calls are only counted. `network`
 * and `allNetworks` limit calls without an account.
 */
export const keptRefusalsAMinute = { network: 10, allNetworks: 60, account: 100 } as const;

const minuteMs = 60_000;

/**
 * Chooses which calls the log keeps. All admitted calls are kept, since plans limit their number. Calls without an
 * account, and an account's calls with a former key or beyond a limit, may come at any rate: the first of them in each
 * minute are kept. No call is kept of a network that is throttled for bad keys.
 */
export class RefusedSample {
  readonly #clock: Clock;
  readonly #limits: { network: number; allNetworks: number; account: number };
  #minute = Number.NaN;
  /** The number of calls that were kept in this minute, by network. The sum is bounded, so the map is bounded, too. */
  readonly #byNetwork = new Map<string, number>();
  #ofAllNetworks = 0;
  readonly #byAccount = new Map<number, number>();

  /** `threads` is the number of threads of the process that have a sample. Each keeps its part of the calls. */
  constructor(clock: Clock, threads = 1) {
    this.#clock = clock;
    const { network, allNetworks, account } = keptRefusalsAMinute;
    const partOf = (count: number) => Math.max(1, Math.floor(count / threads));
    this.#limits = { network: partOf(network), allNetworks: partOf(allNetworks), account: partOf(account) };
  }

  /** Whether the log keeps a call. A kept call without an account, or one refused early, counts towards the limits. */
  keeps(entry: RequestLogEntry): boolean {
    if (entry.userId !== null && !isRefusedEarly(entry)) return true;
    if (entry.refusedBy === "limit:bad-keys") return false;
    this.#startMinute();
    return entry.userId === null
      ? this.#isKeptOfNetwork(entry.clientAddress)
      : takeOne(this.#byAccount, entry.userId, this.#limits.account);
  }

  #isKeptOfNetwork(address: string): boolean {
    if (this.#ofAllNetworks >= this.#limits.allNetworks) return false;
    if (!takeOne(this.#byNetwork, clientNetwork(address), this.#limits.network)) return false;
    this.#ofAllNetworks++;
    return true;
  }

  #startMinute(): void {
    const minute = Math.floor(this.#clock.monotonicMs() / minuteMs);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#byNetwork.clear();
    this.#ofAllNetworks = 0;
    this.#byAccount.clear();
  }
}

/** Whether a call was refused for its key or by a limit. */
const isRefusedEarly = ({ status, refusedBy }: RequestLogEntry): boolean =>
  status === 401 || refusedBy?.startsWith("limit:") === true;

/** Adds one to a count, or returns false if the count is `max` already. */
function takeOne<Key>(counts: Map<Key, number>, key: Key, max: number): boolean {
  const count = counts.get(key) ?? 0;
  if (count >= max) return false;
  counts.set(key, count + 1);
  return true;
}

const flushIntervalMs = 250;
/** Equals the size of a block. */
const maxBatch = 4_096;
/**
 * Limits the memory of waiting entries. A single account gets at most half of the places: several seconds of heavy
 * traffic.
 */
const maxWaiting = 40_000;
const retentionMs = 30 * 24 * 3_600_000;
const sweepIntervalMs = 600_000;
const sweepBatchSize = 5_000;

export interface RequestLogOptions {
  maxWaiting?: number;
  /** The maximum size of a log in the database. */
  maxBytes?: number;
  /** Default: the database. */
  store?: CallStore;
  /** Returns the accounts that were erased since `time`. */
  erasedSince?: (time: Date) => Promise<readonly number[]>;
  /** The number of threads of the process that have a log. Each gets its part of the limits in memory. */
  threads?: number;
}

/**
 * Queues calls and writes them in batches, after the response. While the database is slow or unreachable, up to 40,000
 * entries wait; `dropped` counts the others. An account may have as many waiting entries as there are free places (a
 * dynamic threshold), so that one account cannot take all places.
 */
export class RequestLog {
  #dropped = 0;
  /** The number of refused calls that were not kept. */
  sampledOut = 0;
  /** The log's size in the database after the last sweep; null before the first sweep, and with another store. */
  storedBytes: number | null = null;
  readonly #database: Database;
  readonly #store: CallStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #maxWaiting: number;
  readonly #maxBytes: number;
  /** Oldest first. `add` fills the last batch. */
  #batches = [new LogBatch()];
  #waiting = 0;
  /** The number of waiting entries by account; null for calls without an account. */
  readonly #waitingOf = new Map<number | null, number>();
  readonly #erasedSince: (time: Date) => Promise<readonly number[]>;
  readonly #sample: RefusedSample;
  #writing: Promise<void> | null = null;
  #timers: NodeJS.Timeout[] = [];

  constructor(database: Database, clock: Clock, log: Logger, options: RequestLogOptions = {}) {
    this.#database = database;
    this.#store = options.store ?? new PostgresCalls(database);
    this.#clock = clock;
    this.#log = log;
    this.#erasedSince = options.erasedSince ?? (async () => []);
    this.#sample = new RefusedSample(clock, options.threads);
    this.#maxWaiting = options.maxWaiting ?? Math.floor(maxWaiting / (options.threads ?? 1));
    this.#maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Starts periodic writes, and a sweep every ten minutes. */
  start(): void {
    this.#timers = [
      setInterval(() => void this.flush(), flushIntervalMs),
      setInterval(
        () => void this.sweep().catch((error) => this.#log.warn({ err: error }, "request log sweep failed")),
        sweepIntervalMs,
      ),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  add(entry: RequestLogEntry): void {
    const { userId } = entry;
    const isKept = this.#sample.keeps(entry);
    if (!isKept) this.sampledOut++;
    // Rollups do not count calls without an account.
    if (!isKept && userId === null) return;
    const waitingOfAccount = this.#waitingOf.get(userId) ?? 0;
    if (waitingOfAccount >= this.#maxWaiting - this.#waiting) {
      this.#dropped++;
      return;
    }
    let batch = this.#batches.at(-1);
    if (batch === undefined || batch.size >= maxBatch) {
      batch = new LogBatch();
      this.#batches.push(batch);
    }
    if (isKept) batch.add(entry);
    else batch.count(entry);
    this.#waiting++;
    this.#waitingOf.set(userId, waitingOfAccount + 1);
  }

  get waiting(): number {
    return this.#waiting + this.#store.waiting;
  }

  get dropped(): number {
    return this.#dropped + this.#store.dropped;
  }

  /** Writes the waiting entries. A failed batch stays queued for the next flush. Never rejects. */
  async flush(): Promise<void> {
    if (this.#writing !== null) return this.#writing;
    if (this.waiting === 0) return;
    this.#writing = this.#writeAll()
      .then(() => this.#store.flush())
      .finally(() => {
        this.#writing = null;
      });
    return this.#writing;
  }

  /**
   * Deletes expired entries and rollups, the oldest entries of a log that is too large, and the calls of erased
   * accounts. Returns the number of expired entries.
   */
  async sweep(): Promise<number> {
    const beforeMs = this.#clock.nowMs() - retentionMs;
    const expired = await this.#store.deleteBefore(beforeMs);
    while ((await deleteRollups(this.#database.query, this.#clock.nowMs(), sweepBatchSize)) >= sweepBatchSize) {}
    this.storedBytes = await this.#store.deleteBeyond(this.#maxBytes);
    await this.#store.eraseAccounts(await this.#erasedSince(new Date(beforeMs)));
    return expired;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    // The first call may only wait for a flush that already runs, which does not write the newest entries.
    await this.flush();
    await this.flush();
  }

  /** Writes the batches that are queued at the start. Later batches wait for the next flush, to avoid tiny batches. */
  async #writeAll(): Promise<void> {
    const newest = this.#batches.at(-1);
    for (let written: LogBatch | undefined; written !== newest; ) {
      const [batch] = this.#batches;
      if (batch === undefined || batch.size === 0) return;
      // New entries must not go into the batch being written.
      if (this.#batches.length === 1) this.#batches.push(new LogBatch());
      try {
        await this.#store.write(batch);
      } catch (error) {
        this.#log.warn({ err: error, waiting: this.#waiting }, "request log write failed; retrying");
        return;
      }
      this.#batches.shift();
      this.#release(batch);
      written = batch;
    }
  }

  #release({ size, blocks, countedBlocks }: LogBatch): void {
    this.#waiting -= size;
    for (const { owner, calls } of [...blocks, ...countedBlocks]) {
      const remaining = (this.#waitingOf.get(owner.userId) ?? 0) - calls;
      if (remaining > 0) this.#waitingOf.set(owner.userId, remaining);
      else this.#waitingOf.delete(owner.userId);
    }
  }
}
