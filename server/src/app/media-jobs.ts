import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/connection/connect.ts";
import { byOneProcess } from "../database/in-batches.ts";
import { repeat } from "../repeat.ts";
import { sweepLostJobs } from "../resources/jobs/sweep.ts";
import { type JobHandlers, MediaWorker, type MediaWorkerOptions } from "../resources/jobs/worker.ts";

export interface MediaJobParts {
  database: Database;
  clock: Clock;
  log: Logger;
  handlers: JobHandlers;
  onAttempt?: MediaWorkerOptions["onAttempt"];
}

const sweepIntervalMs = 60_000;

/**
 * Starts a worker for media jobs, and the sweep for lost ones. Any number of processes may run these at once. Returns a
 * function that stops them; jobs under way are aborted and return to the queue.
 */
export async function startMediaJobs({
  database,
  clock,
  log,
  handlers,
  onAttempt,
}: MediaJobParts): Promise<() => Promise<void>> {
  const worker = new MediaWorker({ database, clock, log, handlers, ...(onAttempt !== undefined && { onAttempt }) });
  await worker.start();
  const sweep = () =>
    byOneProcess(database.query, "beatmarket:lost media jobs", async () => {
      const found = await sweepLostJobs(database.query, new Date(clock.nowMs()));
      if (found > 0) log.warn({ found }, "uploads or beats waited without a media job; they are queued again");
    });
  const stopSweeping = repeat(sweepIntervalMs, sweep, (error) =>
    log.warn({ err: error }, "sweeping for lost media jobs failed; trying again"),
  );
  return async () => {
    await Promise.all([worker.stop(), stopSweeping()]);
  };
}
