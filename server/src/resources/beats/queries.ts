import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { detailColumns, listPriceSql } from "./beat.ts";
import { productionJson, type SingleBeat } from "./production.ts";

const columns = sql.join(detailColumns.map((name) => sql.ref(`beats.${name}`)));

/**
 * The beats of these ids in any state, with their productions, by id and in the order of the ids. Unknown ids are
 * omitted.
 */
export async function findSingleBeats(db: Queryable, ids: number[]): Promise<Map<number, SingleBeat>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<SingleBeat>`
    select ${columns}, ${sql.raw(productionJson)} as production,
           users.display_name as producer_name, ${sql.raw(listPriceSql)} as list_price_cents, genres.name as genre_name, genres.slug as genre_slug
    from beats join users on users.id = beats.user_id join genres on genres.id = beats.genre_id
    where beats.id = any(${ids}::bigint[])
    order by beats.id`.execute(db);
  return new Map(rows.map((beat) => [beat.id, beat]));
}
