import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { type BeatDetail, detailColumns } from "./beat.ts";

const columns = sql.join(detailColumns.map((name) => sql.ref(`beats.${name}`)));

/** The beats of these ids with all details, by id and in the order of the ids. Unknown ids are left out. */
export async function findBeatDetails(db: Queryable, ids: number[]): Promise<Map<number, BeatDetail>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<BeatDetail>`
    select ${columns}, users.display_name as producer_name, genres.name as genre_name, genres.slug as genre_slug
    from beats join users on users.id = beats.user_id join genres on genres.id = beats.genre_id
    where beats.id = any(${ids}::bigint[])
    order by beats.id`.execute(db);
  return new Map(rows.map((beat) => [beat.id, beat]));
}
