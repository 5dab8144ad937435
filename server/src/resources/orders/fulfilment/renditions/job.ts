import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { runMediaTask } from "@beatmarket/audio/run-media-task.ts";
import type { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import { type ExplainedFailure, type JobHandler, JobPostponed } from "@beatmarket/jobs/worker.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../../database/connect.ts";
import {
  findMasters,
  findRenditions,
  type Master,
  notifyOfRenditions,
  type Rendition,
  storeRenditions,
} from "./renditions.ts";

export interface RenditionJobParts {
  db: Queryable;
  objects: Pick<StoredObjects, "open" | "store">;
  scratch: ScratchFolders;
  /** For tests. The default is `runMediaTask`. */
  runTask?: typeof runMediaTask<"renditions">;
}

const contentTypes = { mp3: "audio/mpeg", wav: "audio/wav" };
const unexplainedReason = "something went wrong on our side.";

/**
 * Handles the job `renditions`, whose subject is the SHA-256 of a master. Makes and stores the files for buyers, and
 * notifies waiting requests, also after an attempt that failed, but not after one that was stopped or postponed. After
 * a crash at any step the job can run again, because files are stored under the same names.
 */
export function renditionHandler(parts: RenditionJobParts): JobHandler {
  const { db } = parts;
  return {
    run: async ({ subject: masterSha256 }, { signal }) => {
      try {
        await makeRenditions(parts, masterSha256, signal);
      } catch (error) {
        const { reason = unexplainedReason } = error as Partial<ExplainedFailure>;
        if (!signal.aborted && !(error instanceof JobPostponed))
          await notifyOfRenditions(db, { masterSha256, failure: reason });
        throw error;
      }
      await notifyOfRenditions(db, { masterSha256, failure: null });
    },
    giveUp: ({ subject: masterSha256 }, failure) => notifyOfRenditions(db, { masterSha256, failure }),
  };
}

async function makeRenditions(
  { db, objects, scratch, runTask = runMediaTask<"renditions"> }: RenditionJobParts,
  masterSha256: string,
  signal: AbortSignal,
): Promise<void> {
  const incomplete: Master[] = [];
  for (const master of await findMasters(db, masterSha256))
    if ((await findRenditions(db, master)).length === 0) incomplete.push(master);
  if (incomplete.length === 0) return;
  await scratch.use(async (folder) => {
    const input = join(folder, "master");
    await pipeline(await objects.open(masterSha256), createWriteStream(input, { mode: 0o600 }), { signal });
    for (const master of incomplete) {
      const { isLossy } = master;
      const outDir = join(folder, isLossy ? "lossy" : "made");
      await mkdir(outDir);
      await runTask({ kind: "renditions", input, outDir, isLossy }, { signal });
      signal.throwIfAborted();
      const renditions: Rendition[] = [];
      for (const kind of isLossy ? (["mp3"] as const) : (["mp3", "wav"] as const))
        renditions.push({
          kind,
          contentType: contentTypes[kind],
          ...(await objects.store(join(outDir, `master.${kind}`))),
        });
      await transact(db, (transaction) => storeRenditions(transaction, master, renditions));
    }
  });
}
