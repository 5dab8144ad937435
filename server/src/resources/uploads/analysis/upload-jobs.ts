import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { MediaResults, MediaTask, MediaTaskKind } from "../../../audio/media-task.ts";
import { MediaTaskError } from "../../../audio/media-task.ts";
import type { Queryable } from "../../../database/connection/connect.ts";
import type { StoredObjects } from "../../../storage/stored-objects.ts";
import type { ScratchFolders } from "../../jobs/scratch-folders.ts";
import type { JobHandler, JobHandlers } from "../../jobs/worker.ts";
import { jobKindOf, type UploadKind } from "../upload.ts";
import { assemble } from "./assemble.ts";
import { type Findings, findingsOf } from "./findings.ts";
import { findAnalysing, markReady, reject } from "./results.ts";

/** Performs a media task, as `runMediaTask` does. */
export type RunMediaTask = <Kind extends MediaTaskKind>(
  task: Extract<MediaTask, { kind: Kind }>,
  options: { signal: AbortSignal },
) => Promise<MediaResults[Kind]>;

export interface UploadJobParts {
  db: Queryable;
  objects: Pick<StoredObjects, "open" | "store">;
  scratch: ScratchFolders;
  run: RunMediaTask;
  /** Called when an upload became ready or rejected, in the same transaction. */
  onEnd(transaction: Queryable, uploadId: string): Promise<void>;
}

/**
 * The jobs that analyse an upload and store its files. Objects come before the rows that name them, and the parts are let go
 * in the same transaction, so a kill between any two steps leaves a job that can be done again, or objects that a sweeper
 * deletes.
 */
export const uploadJobs = (parts: UploadJobParts): JobHandlers =>
  Object.fromEntries(Object.values(jobKindOf).map((kind) => [kind, uploadJob(parts)]));

const uploadJob = (parts: UploadJobParts): JobHandler => ({
  run: ({ subject }, { signal }) => analyse(parts, subject, signal),
  // What is the file's fault is rejected by `run`.
  giveUp: ({ subject }, reason) => reject(parts, subject, { reason, isRetriable: true }),
});

async function analyse(parts: UploadJobParts, id: string, signal: AbortSignal): Promise<void> {
  const { db, objects, scratch } = parts;
  const upload = await findAnalysing(db, id);
  // Deleted, or done by a worker that died before it said so.
  if (upload === null) return;
  try {
    await scratch.use(async (folder) => {
      const input = join(folder, "original");
      const outDir = join(folder, "made");
      await assemble(parts, upload, input, signal);
      await mkdir(outDir);
      const findings = await examine(parts, upload.kind, { input, outDir, signal });
      const stored = [];
      for (const { path, ...file } of findings.files) stored.push({ ...file, ...(await objects.store(path)) });
      await markReady(parts, id, { analysis: findings.analysis, files: stored });
    });
  } catch (error) {
    if (!(error instanceof MediaTaskError) || !error.isFinal) throw error;
    await reject(parts, id, { reason: error.reason, isRetriable: false });
  }
}

async function examine(
  { run }: UploadJobParts,
  kind: UploadKind,
  { input, outDir, signal }: { input: string; outDir: string; signal: AbortSignal },
): Promise<Findings> {
  const task = { input, outDir };
  if (kind === "audio") return findingsOf.audio(task, await run<"analyse">({ kind: "analyse", ...task }, { signal }));
  if (kind === "cover") return findingsOf.cover(task, await run<"cover">({ kind: "cover", ...task }, { signal }));
  return findingsOf.stems(task, await run<"stems">({ kind: "stems", ...task }, { signal }));
}
