import type { Queryable } from "../../../database/connect.ts";
import type { PartDrafts } from "./drafts.ts";

const maxPerSweep = 1_000;
/** A writer writes to its draft far more often, by the least rate of bodies. */
const untouchedMs = 3_600_000;

/**
 * Deletes uploads that have expired without being used, and the drafts that a killed process left on this instance. Objects
 * that they alone referred to go with the storage's own sweep.
 */
export async function sweepUploads(db: Queryable, drafts: PartDrafts, now: Date): Promise<void> {
  const expired = db
    .selectFrom("uploads")
    .select("id")
    .where("used_at", "is", null)
    .where("expires_at", "<=", now)
    .limit(maxPerSweep)
    .forUpdate()
    .skipLocked();
  await db.deleteFrom("uploads").where("id", "in", expired).execute();
  await drafts.sweep(new Date(now.getTime() - untouchedMs));
}
