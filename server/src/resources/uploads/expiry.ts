import type { PartDrafts } from "@beatmarket/resumable-uploads/drafts.ts";
import type { Queryable } from "../../database/connect.ts";

const maxPerSweep = 1_000;
/** A writer writes to its draft far more often than this, because of the minimum rate of bodies. */
const untouchedMs = 3_600_000;

/**
 * Deletes uploads that have expired unused, and the drafts that a killed process left on this instance. The storage's
 * own sweep deletes the objects that only they referred to.
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
