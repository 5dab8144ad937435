import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { detailColumns, listPriceSql } from "./beat.ts";
import { freeLicense } from "./licensing/licenses.ts";
import { productionJson, type SingleBeat } from "./production.ts";

const columns = sql.join(detailColumns.map((name) => sql.ref(`beats.${name}`)));

/**
 * The beats of these ids in any state, with their productions. The keys of the map are the ids, in ascending order.
 * Unknown ids are omitted.
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

/** The number of ids in the range of one sitemap file. File n has the ids from `n * idsPerFile` on. */
export const idsPerFile = 50_000;

/** The nouns with public pages: listed beats, and producers with a listed beat. */
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
  /** The number of pages in the file. */
  count: number;
  lastChange: Date;
}

/** The files with at least one page, by number. `fileNumber` restricts them to one file. */
export async function listAddressFiles(db: Queryable, noun: ListedNoun, fileNumber?: number): Promise<AddressFile[]> {
  const ofFile = fileNumber === undefined ? sql`true` : idIsInFile(fileNumber);
  const { rows } = await sql<AddressFile>`
    select (id / ${sql.lit(idsPerFile)})::integer as number, count(*)::integer as count, max(updated_at) as "lastChange"
    from ${listed[noun]} where ${ofFile} group by 1 order by 1`.execute(db);
  return rows;
}

export interface ListedAddress {
  id: number;
  /** The last part of the page's address. */
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
      select id, name, updated_at from ${listed[noun]} where ${idIsInFile(file)} and id > ${after}::bigint
      order by id limit ${rowsPerChunk}`.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerChunk) return;
    after = last.id;
  }
}

const idIsInFile = (file: number) =>
  sql`id >= ${file * idsPerFile}::bigint and id < ${(file + 1) * idsPerFile}::bigint`;

/**
 * A beat whose unlimited or exclusive license has the price 0, from an earlier release. That license cannot be bought.
 */
export interface FreeLicense {
  beat_id: number;
  title: string;
  license_type: string;
  /** The source of an imported beat; null for a beat that its producer published in this service. */
  source: string | null;
}

const maxListed = 1_000;

/** The first 1,000 beats, by id, that have a free license and are not sold exclusively. Reads all beats. */
export async function findFreeLicenses(db: Queryable): Promise<FreeLicense[]> {
  const beats = await withFreeLicenses(db)
    .select(["id", "title", "source"])
    .select(["price_cents", "premium_price_cents", "unlimited_price_cents", "exclusive_price_cents"])
    .orderBy("id")
    .limit(maxListed)
    .execute();
  return beats.flatMap(({ id, title, source, ...beat }) => {
    const license_type = freeLicense(beat);
    return license_type === undefined ? [] : [{ beat_id: id, title, license_type, source }];
  });
}

/** The number of beats that `findFreeLicenses` would list without its limit. Reads all beats. */
export async function countFreeLicenses(db: Queryable): Promise<number> {
  const { beats } = await withFreeLicenses(db)
    .select(({ fn }) => fn.countAll<number>().as("beats"))
    .executeTakeFirstOrThrow();
  return Number(beats);
}

const withFreeLicenses = (db: Queryable) =>
  db
    .selectFrom("beats")
    .where(sql<boolean>`0 in (unlimited_price_cents, exclusive_price_cents)`)
    .where("exclusive_state", "<>", "sold");
