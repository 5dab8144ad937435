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

/** The ids of one file of addresses: `number * idsPerFile` is the first, so a page stays in its file. */
export const idsPerFile = 50_000;

/** What has public pages: listed beats by id, and by username the producers that have one. */
export const listedNouns = ["beats", "producers"] as const;
export type ListedNoun = (typeof listedNouns)[number];

const listed = {
  beats: sql`(select id, id::text as name, updated_at from beats where is_listed) as listed`,
  producers: sql`(
    select users.id, username as name, users.updated_at from users join producer_counts as counts on counts.user_id = users.id
    where counts.beats_count > 0 and is_producer and suspended_at is null and joined_user_id is null) as listed`,
};

export interface AddressFile {
  number: number;
  /** The number of the producer's pages. */
  count: number;
  lastChange: Date;
}

/** The files that have a page, by number; with `only`, that one if it has a page. */
export async function listAddressFiles(db: Queryable, noun: ListedNoun, only?: number): Promise<AddressFile[]> {
  const inFile = only === undefined ? sql`true` : isIn(only);
  const { rows } = await sql<AddressFile>`
    select (id / ${sql.lit(idsPerFile)})::integer as number, count(*)::integer as count, max(updated_at) as "lastChange"
    from ${listed[noun]} where ${inFile} group by 1 order by 1`.execute(db);
  return rows;
}

export interface ListedAddress {
  id: number;
  /** The end of its address. */
  name: string;
  updated_at: Date;
}

/** The pages of one file by id, in chunks, so that memory holds one chunk at a time. */
export async function* readAddresses(
  db: Queryable,
  noun: ListedNoun,
  file: number,
  rowsPerChunk: number,
): AsyncGenerator<ListedAddress[], void> {
  for (let after = -1; ; ) {
    const { rows } = await sql<ListedAddress>`
      select id, name, updated_at from ${listed[noun]} where ${isIn(file)} and id > ${after}::bigint
      order by id limit ${rowsPerChunk}`.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerChunk) return;
    after = last.id;
  }
}

const isIn = (file: number) => sql`id >= ${file * idsPerFile}::bigint and id < ${(file + 1) * idsPerFile}::bigint`;
