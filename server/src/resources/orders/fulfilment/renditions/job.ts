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
  findRenditions,
  type Master,
  notifyOfRenditions,
  type Rendition,
  storeRenditions,
  wantedMasters,
} from "./renditions.ts";

export interface RenditionJobParts {
  db: Queryable;
  objects: Pick<StoredObjects, "open" | "store">;
  scratch: ScratchFolders;
  /** By default `runMediaTask`. */
  runTask?: typeof runMediaTask<"renditions">;
}

const contentTypes = { mp3: "audio/mpeg", wav: "audio/wav" };
const unexplained = "something went wrong on our side.";

/**
 * The job `renditions`, whose subject is the SHA-256 of a master. Makes and stores the files for its buyers, and
 * notifies waiting requests, also of each failed attempt. After a kill at any step it starts again: stored files keep
 * their names.
 */
export function renditionHandler(parts: RenditionJobParts): JobHandler {
  const { db } = parts;
  return {
    run: async ({ subject: masterSha256 }, { signal }) => {
      try {
        await make(parts, masterSha256, signal);
      } catch (error) {
        const { reason = unexplained } = error as Partial<ExplainedFailure>;
        if (!signal.aborted && !(error instanceof JobPostponed))
          await notifyOfRenditions(db, { masterSha256, failure: reason });
        throw error;
      }
      await notifyOfRenditions(db, { masterSha256, failure: null });
    },
    giveUp: ({ subject: masterSha256 }, failure) => notifyOfRenditions(db, { masterSha256, failure }),
  };
}

async function make(
  { db, objects, scratch, runTask = runMediaTask<"renditions"> }: RenditionJobParts,
  masterSha256: string,
  signal: AbortSignal,
): Promise<void> {
  const lacking: Master[] = [];
  for (const master of await wantedMasters(db, masterSha256))
    if ((await findRenditions(db, master)).length === 0) lacking.push(master);
  if (lacking.length === 0) return;
  await scratch.use(async (folder) => {
    const input = join(folder, "master");
    await pipeline(await objects.open(masterSha256), createWriteStream(input, { mode: 0o600 }), { signal });
    for (const master of lacking) {
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
