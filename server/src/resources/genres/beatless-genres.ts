import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** Deletes the genres that have no beat any more, listed or not. Returns how many. */
export async function deleteBeatlessGenres(db: Queryable): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from genres where beats_count = 0 and not exists (select from beats where genre_id = genres.id)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
