import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { isUnreferenced, referencesToObjects } from "./references.ts";
import type { Storage, StorageUpkeep } from "./storage.ts";
import type { StorageDatabase } from "./tables.ts";

/** Time after a store within which a row must refer to the object. */
const graceSeconds = 3_600;
/**
 * Twice the maximum duration of a deletion (`deleteTimeoutMs`), so that the earlier process has stopped when another
 * process takes the deletion over.
 */
const leaseSeconds = 60;
const draftMaxAgeMs = 86_400_000;
const batchSize = 100;

/**
 * Deletes objects without a reference that were stored more than an hour ago, and drafts of puts that began more than a
 * day ago. Completes the work of a killed sweep. Any number of processes may sweep concurrently.
 *
 * Returns the number of deleted objects.
 */
export async function sweepObjects(
  db: Queryable,
  storage: Storage & StorageUpkeep,
  stopping: AbortSignal,
): Promise<number> {
  while (!stopping.aborted && (await releaseObjects(db)) > 0);
  let deleted = 0;
  for (;;) {
    const sha256 = stopping.aborted ? null : await claimDeletion(db);
    if (sha256 === null) break;
    await deleteObject(db, storage, sha256);
    deleted++;
  }
  await storage.deleteDrafts(new Date(Date.now() - draftMaxAgeMs));
  return deleted;
}

/**
 * Moves up to 100 unreferenced rows to `object_deletions`, where no foreign key can refer to them. Returns their
 * number.
 */
export async function releaseObjects(db: Queryable): Promise<number> {
  const references = await referencesToObjects(db);
  const { numAffectedRows } = await sql`
    with released as (
      delete from stored_objects where sha256 in (
        select sha256 from stored_objects as object
        where touched_at < now() - make_interval(secs => ${graceSeconds}) and ${isUnreferenced(references)}
        order by touched_at limit ${batchSize} for update skip locked
      )
      returning sha256
    )
    insert into object_deletions (sha256, leased_until) select sha256, '-infinity' from released
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Leases a deletion that has no valid lease. Returns the hash of the object; null if there is no such deletion. */
export async function claimDeletion(db: Queryable): Promise<string | null> {
  const { rows } = await sql<{ sha256: string }>`
    update object_deletions set leased_until = now() + make_interval(secs => ${leaseSeconds})
    where sha256 in (
      select sha256 from object_deletions where leased_until < now()
      order by leased_until limit 1 for update skip locked
    )
    returning sha256`.execute(db);
  return rows[0]?.sha256 ?? null;
}

/** Deletes an object, then the row of its deletion. The caller holds the lease. */
export async function deleteObject(db: Queryable, storage: Storage, sha256: string): Promise<void> {
  await storage.delete(sha256);
  const tables: StorageDatabase = db;
  await tables.deleteFrom("object_deletions").where("sha256", "=", sha256).execute();
}
