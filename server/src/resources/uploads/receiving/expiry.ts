import type { Queryable } from "../../../database/connection/connect.ts";
import { isUploadId } from "../upload.ts";
import type { IncomingFiles } from "./incoming-files.ts";

const maxPerSweep = 1_000;
/** An upload that is being begun may have its file before it is seen here. */
const untouchedMs = 3_600_000;

/**
 * Deletes uploads that have expired without being used, and of this instance's incoming bytes those that no upload waits
 * for any more, whatever left them. Objects that they alone referred to go with the storage's own sweep.
 */
export async function sweepUploads(db: Queryable, files: IncomingFiles, now: Date): Promise<void> {
  const expired = db
    .selectFrom("uploads")
    .select("id")
    .where("used_at", "is", null)
    .where("expires_at", "<=", now)
    .limit(maxPerSweep)
    .forUpdate()
    .skipLocked();
  const deleted = await db.deleteFrom("uploads").where("id", "in", expired).returning("id").execute();
  for (const { id } of deleted) await files.remove(id);
  const old = await files.untouchedSince(new Date(now.getTime() - untouchedMs));
  const wanted = await awaited(db, old);
  for (const name of old) if (!wanted.has(name)) await files.remove(name);
}

/** Which of these uploads still need the bytes that have arrived. */
async function awaited(db: Queryable, names: readonly string[]): Promise<Set<string>> {
  const ids = names.filter(isUploadId);
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("uploads")
    .select("id")
    .where("id", "in", ids)
    .where((its) => its.or([its("status", "in", ["receiving", "analysing"]), its("is_retriable", "=", true)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}
