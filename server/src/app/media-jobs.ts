import { join } from "node:path";
import { runMediaTask } from "@beatmarket/audio/run-media-task.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { repeat } from "@beatmarket/foundation/repeat.ts";
import { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { type JobHandlers, JobWorker, type JobWorkerOptions } from "@beatmarket/jobs/worker.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Database } from "../database/connect.ts";
import { previewHandler } from "../resources/beats/publishing/preview-job.ts";
import { previewJob, publishAwaiting } from "../resources/beats/publishing/request-publishing.ts";
import { queueMissingJobs, renditionsJob } from "../resources/jobs/media-jobs.ts";
import { renditionHandler } from "../resources/orders/fulfilment/renditions/job.ts";
import { uploadJobs } from "../resources/uploads/analysis/upload-jobs.ts";

export interface MediaJobParts {
  config: Pick<Config, "dataDir" | "publicUrl" | "allowsDuplicates">;
  database: Database;
  clock: Clock;
  log: Logger;
  objects: StoredObjects;
  onAttempt?: JobWorkerOptions["onAttempt"];
}

const sweepIntervalMs = 60_000;

/** The folders for the files of a media job's attempt while it runs. */
export const scratchFolders = (dataDir: string): ScratchFolders => new ScratchFolders(join(dataDir, "scratch"));

/**
 * Starts the workers for media jobs, and a sweep for lost jobs and old scratch files. Any number of processes may run
 * these concurrently. Returns a function that stops them; running jobs are aborted and return to the queue.
 */
export async function startMediaJobs(parts: MediaJobParts): Promise<() => Promise<void>> {
  const { config, database, clock, log } = parts;
  const db = database.query;
  const scratch = scratchFolders(config.dataDir);
  const worker = workerFor(parts, publishingJobs(parts));
  // Renditions have a separate slot, so that a buyer does not also wait for the analysis of a long recording.
  const renditions = workerFor(parts, renditionJobs(parts), 1);
  await Promise.all([worker.start(), renditions.start()]);
  const sweep = async () => {
    const now = new Date(clock.nowMs());
    await scratch.sweep(now);
    await runInOneProcess(db, "beatmarket:lost media jobs", async (connection) => {
      const count = await queueMissingJobs(connection, now);
      if (count > 0) log.warn({ count }, "uploads or beats waited without a media job; they are queued again");
    });
  };
  const stopSweeping = repeat(sweepIntervalMs, sweep, (error) =>
    log.warn({ err: error }, "sweeping for lost media jobs failed; trying again"),
  );
  return async () => {
    await Promise.all([worker.stop(), renditions.stop(), stopSweeping()]);
  };
}

/**
 * Starts a worker that makes only previews, so this machine needs only the storage and the database. Returns a function
 * that stops it.
 */
export async function startPreviewJobs(parts: MediaJobParts): Promise<() => Promise<void>> {
  const worker = workerFor(parts, previewJobs(parts));
  await worker.start();
  return () => worker.stop();
}

/** A worker for all media jobs that does not run by itself: its owner calls `runDue`. */
export const openMediaWorker = (parts: MediaJobParts): JobWorker =>
  workerFor(parts, { ...publishingJobs(parts), ...renditionJobs(parts) });

const workerFor = (
  { database, clock, log, onAttempt }: MediaJobParts,
  handlers: JobHandlers,
  slots?: number,
): JobWorker => new JobWorker({ database, clock, log, handlers, slots, ...(onAttempt !== undefined && { onAttempt }) });

const publishingJobs = (parts: MediaJobParts): JobHandlers => {
  const { config, database, clock, objects } = parts;
  return {
    ...previewJobs(parts),
    ...uploadJobs({
      db: database.query,
      clock,
      objects,
      scratch: scratchFolders(config.dataDir),
      run: runMediaTask,
      onEnd: (transaction, uploadId) => publishAwaiting(transaction, uploadId, new Date(clock.nowMs())),
    }),
  };
};

const renditionJobs = ({ config, database, objects }: MediaJobParts): JobHandlers => ({
  [renditionsJob]: renditionHandler({ db: database.query, objects, scratch: scratchFolders(config.dataDir) }),
});

const previewJobs = ({ config, database, clock, objects }: MediaJobParts): JobHandlers => ({
  [previewJob]: previewHandler({
    db: database.query,
    clock,
    publicUrl: config.publicUrl,
    allowsDuplicates: config.allowsDuplicates,
    objects,
    scratch: scratchFolders(config.dataDir),
  }),
});
