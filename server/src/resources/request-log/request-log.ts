import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../database/connection/connect.ts";
import type { RequestLogEntry } from "./entry.ts";
import { deleteCallsBefore, writeBatch } from "./queries.ts";
import { LogBatch } from "./storage/log-batch.ts";
import { deleteRollups } from "./storage/rollups.ts";

const flushEveryMs = 250;
/** As many as a block holds. */
const maxBatch = 4_096;
/** Some seconds of heavy traffic; beyond it, entries are dropped and counted rather than memory filled. */
const maxWaiting = 20_000;
const retentionMs = 30 * 24 * 3_600_000;
const sweepEveryMs = 3_600_000;
const sweepBatch = 5_000;

/**
 * Takes calls off the request's path and writes them in batches. When the database is slow or away, up to 20,000
 * entries wait; later ones are dropped, and `dropped` counts them.
 */
export class RequestLog {
  dropped = 0;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #maxWaiting: number;
  /** Oldest first; the last one is being filled. */
  #batches = [new LogBatch()];
  #waiting = 0;
  #writing: Promise<void> | null = null;
  #timers: NodeJS.Timeout[] = [];

  constructor(database: Database, clock: Clock, log: Logger, options: { maxWaiting?: number } = {}) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.#maxWaiting = options.maxWaiting ?? maxWaiting;
  }

  /** Starts writing and, once an hour, forgetting what is older than 30 days. */
  start(): void {
    this.#timers = [
      setInterval(() => void this.flush(), flushEveryMs),
      setInterval(
        () => void this.sweep().catch((error) => this.#log.warn({ err: error }, "request log not swept")),
        sweepEveryMs,
      ),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  add(entry: RequestLogEntry): void {
    if (this.#waiting >= this.#maxWaiting) {
      this.dropped++;
      return;
    }
    let batch = this.#batches.at(-1);
    if (batch === undefined || batch.size >= maxBatch) {
      batch = new LogBatch();
      this.#batches.push(batch);
    }
    batch.add(entry);
    this.#waiting++;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Writes what waits. A batch that fails is put back for the next try. Never throws. */
  async flush(): Promise<void> {
    if (this.#writing !== null) return this.#writing;
    if (this.#waiting === 0) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** Deletes entries past their 30 days, and counts past theirs, in small batches; returns how many entries went. */
  async sweep(): Promise<number> {
    const beforeMs = this.#clock.nowMs() - retentionMs;
    let total = 0;
    let deletedBlocks: number;
    do {
      const { blocks, calls } = await deleteCallsBefore(this.#database.query, beforeMs, sweepBatch);
      deletedBlocks = blocks;
      total += calls;
    } while (deletedBlocks === sweepBatch);
    while ((await deleteRollups(this.#database.query, this.#clock.nowMs(), sweepBatch)) >= sweepBatch) {}
    return total;
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.flush();
    await this.flush();
  }

  /** Writes what waits now. What comes meanwhile waits for the next time, or it would be written in crumbs. */
  async #writeAll(): Promise<void> {
    const newest = this.#batches.at(-1);
    for (let written: LogBatch | undefined; written !== newest; ) {
      const [batch] = this.#batches;
      if (batch === undefined || batch.size === 0) return;
      // What comes meanwhile goes into another one.
      if (this.#batches.length === 1) this.#batches.push(new LogBatch());
      try {
        await writeBatch(this.#database, batch);
      } catch (error) {
        this.#log.warn({ err: error, waiting: this.#waiting }, "request log not written; trying again");
        return;
      }
      this.#batches.shift();
      this.#waiting -= batch.size;
      written = batch;
    }
  }
}
