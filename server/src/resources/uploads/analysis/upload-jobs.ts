import { access } from "node:fs/promises";
import type { MediaResults, MediaTask, MediaTaskKind } from "../../../audio/media-task.ts";
import { MediaTaskError } from "../../../audio/media-task.ts";
import type { Queryable } from "../../../database/connection/connect.ts";
import type { StoredObjects } from "../../../storage/stored-objects.ts";
import type { ScratchFolders } from "../../jobs/scratch-folders.ts";
import type { JobHandler, JobHandlers } from "../../jobs/worker.ts";
import type { IncomingFiles } from "../receiving/incoming-files.ts";
import { jobKindOf, type UploadKind } from "../upload.ts";
import { type Findings, findingsOf } from "./findings.ts";
import { findAnalysing, markReady, reject } from "./results.ts";

/** Performs a media task, as `runMediaTask` does. */
export type RunMediaTask = <Kind extends MediaTaskKind>(
  task: Extract<MediaTask, { kind: Kind }>,
  options: { signal: AbortSignal },
) => Promise<MediaResults[Kind]>;

export interface UploadJobParts {
  db: Queryable;
  files: IncomingFiles;
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
  run: RunMediaTask;
  /** Called when an upload became ready or rejected, in the same transaction. */
  onEnd(transaction: Queryable, uploadId: string): Promise<void>;
}

/**
 * The jobs that analyse an upload and store its files. Objects come before the rows that name them, and the bytes that
 * arrived go last, so a kill between any two steps leaves a job that can be done again, or files that a sweeper deletes.
 */
export const uploadJobs = (parts: UploadJobParts): JobHandlers =>
  Object.fromEntries(Object.values(jobKindOf).map((kind) => [kind, uploadJob(parts)]));

const uploadJob = (parts: UploadJobParts): JobHandler => ({
  run: ({ subject }, { signal }) => analyse(parts, subject, signal),
  // What is the file's fault is rejected by `run`.
  giveUp: ({ subject }, reason) => reject(parts, subject, { reason, isRetriable: true }),
});

async function analyse(parts: UploadJobParts, id: string, signal: AbortSignal): Promise<void> {
  const { db, files, objects, scratch } = parts;
  const upload = await findAnalysing(db, id);
  // Deleted, or done by a worker that died before it said so.
  if (upload === null) return;
  try {
    await scratch.use(async (outDir) => {
      const findings = await examine(parts, upload.kind, { input: files.path(id), outDir, signal });
      const stored = [];
      for (const { path, ...file } of findings.files) stored.push({ ...file, ...(await objects.store(path)) });
      await markReady(parts, id, { analysis: findings.analysis, files: stored });
    });
  } catch (error) {
    if (!(error instanceof MediaTaskError) || !error.isFinal) throw error;
    await reject(parts, id, { reason: error.reason, isRetriable: false });
  }
  await files.remove(id);
}

async function examine(
  { run }: UploadJobParts,
  kind: UploadKind,
  { input, outDir, signal }: { input: string; outDir: string; signal: AbortSignal },
): Promise<Findings> {
  await access(input).catch((cause) => {
    throw new MediaTaskError("Its bytes were lost on our side; upload the file again.", { isFinal: true, cause });
  });
  const task = { input, outDir };
  if (kind === "audio") return findingsOf.audio(task, await run<"analyse">({ kind: "analyse", ...task }, { signal }));
  if (kind === "cover") return findingsOf.cover(task, await run<"cover">({ kind: "cover", ...task }, { signal }));
  return findingsOf.stems(task, await run<"stems">({ kind: "stems", ...task }, { signal }));
}
