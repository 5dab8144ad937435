import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";

/** Adds one download to the beat of each id; an id that occurs twice adds two. */
export async function addDownloads(db: Queryable, beatIds: readonly number[]): Promise<void> {
  if (beatIds.length === 0) return;
  await sql`
    update beats set download_count = download_count + added.count
    from (select id, count(*) as count from unnest(${beatIds}::bigint[]) as ids (id) group by id) added
    where beats.id = added.id`.execute(db);
}

/** Adds plays to the beat of each id; unknown ids are ignored. */
export async function addPlays(db: Queryable, plays: ReadonlyMap<number, number>): Promise<void> {
  await sql`
    update beats set play_count = play_count + added.count
    from unnest(${[...plays.keys()]}::bigint[], ${[...plays.values()]}::bigint[]) as added (id, count)
    where beats.id = added.id`.execute(db);
}
