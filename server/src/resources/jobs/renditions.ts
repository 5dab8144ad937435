import type { Queryable } from "../../database/connect.ts";
import { enqueue } from "./queries.ts";

/** The job that makes the files for buyers of a master; its subject is the master's SHA-256. */
export const renditionsJob = "renditions";

export const priorities = { buyerWaits: -1, afterPublishing: 1 } as const;

/** Queues the job, or brings one that waits forward. `userId` is for whom: accounts take turns. */
export const enqueueRenditions = (
  db: Queryable,
  { masterSha256, ...its }: { masterSha256: string; userId: number | null; priority: number; now: Date },
): Promise<void> => enqueue(db, { kind: renditionsJob, subject: masterSha256, ...its });
