import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** A key takes at most one export within this time (docs/api/exports.md, Limit). */
const takeIntervalSeconds = 3_600;

/** What a key took last. */
export interface Take {
  /** The tag of the export; null until it has begun. */
  tag: string | null;
  /** Whole seconds until the key may take another one. */
  waitSeconds: number;
}

/**
 * Takes an export for a key: null, or what it took last when that was within the hour. One statement decides, so all
 * instances together admit one. A key without limits is always admitted.
 */
export async function take(db: Queryable, key: { id: number; isLimited: boolean }, now: Date): Promise<Take | null> {
  const before = new Date(now.getTime() - takeIntervalSeconds * 1_000);
  const { rows } = await sql`
    insert into export_takes as taken (api_key_id, taken_at) values (${key.id}, ${now})
    on conflict (api_key_id) do update set taken_at = excluded.taken_at, tag = null
    where taken.taken_at <= ${before} or not ${key.isLimited}::boolean
    returning api_key_id`.execute(db);
  if (rows.length > 0) return null;
  const last = await lastTake(db, key.id);
  const agoSeconds = (now.getTime() - (last?.taken_at ?? now).getTime()) / 1_000;
  const waitSeconds = Math.min(takeIntervalSeconds, Math.max(1, Math.ceil(takeIntervalSeconds - agoSeconds)));
  return { tag: last?.tag ?? null, waitSeconds };
}

/** The export that a key took last; undefined for none. */
export const lastTake = (db: Queryable, keyId: number) =>
  db.selectFrom("export_takes").select(["tag", "taken_at"]).where("api_key_id", "=", keyId).executeTakeFirst();

/** Notes which export it is that the key took. */
export const noteTake = (db: Queryable, keyId: number, tag: string) =>
  db.updateTable("export_takes").set({ tag }).where("api_key_id", "=", keyId).execute();

/** Undoes a take of which nothing came. */
export const undoTake = (db: Queryable, keyId: number) =>
  db.deleteFrom("export_takes").where("api_key_id", "=", keyId).execute();

/** Undoes the takes of exports that were never completed, and those that never began. */
export async function undoTakesOf(db: Queryable, tags: readonly string[]): Promise<void> {
  await sql`delete from export_takes where tag is null or tag = any (${tags}::text[])`.execute(db);
}
