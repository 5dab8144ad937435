import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { isFrozen } from "../licensing/exclusive.ts";
import { shownSql } from "../state.ts";

// The beats of one source. A mapping names the source of the beats that it imports. `beatmarket beats` lists,
// withdraws, relists and deletes them.

export interface SourceCounts {
  /** Null: beats that were not imported. */
  source: string | null;
  beats: number;
  listed: number;
  withdrawn: number;
  sold: number;
  /** The number of beats with an order. */
  ordered: number;
}

export interface SourceBeat {
  id: number;
  external_id: string;
  title: string;
  producer_name: string;
  genre_name: string;
  state: "listed" | "withdrawn" | "sold";
  /** The time of the beat's last change. */
  updated_at: Date;
}

export interface BulkOptions {
  now: Date;
  /** Stops after the current batch, which has its own transaction. */
  signal?: AbortSignal;
  /** Called after each batch with the number of beats processed so far. */
  onProgress?: (seen: number) => void;
}

const state = sql<SourceBeat["state"]>`
  case when not ${sql.raw(shownSql)} then 'withdrawn' when is_listed then 'listed' else 'sold' end`;

/** The sources of the catalogue's beats with their counts. Returns only `source` if it is given. */
export async function countBySource(db: Queryable, source?: string): Promise<SourceCounts[]> {
  const { rows } = await sql<SourceCounts>`
    select source, count(*) as beats,
           count(*) filter (where ${state} = 'listed') as listed,
           count(*) filter (where ${state} = 'withdrawn') as withdrawn,
           count(*) filter (where ${state} = 'sold') as sold,
           count(ordered.beat_id) as ordered
    from beats left join (select distinct beat_id from orders) as ordered on ordered.beat_id = beats.id
    where ${source === undefined ? sql`true` : sql`source = ${source}`}
    group by source order by source nulls first`.execute(db);
  return rows;
}

/** The newest beats of a source. */
export async function sampleOfSource(db: Queryable, source: string, limit: number): Promise<SourceBeat[]> {
  const { rows } = await sql<SourceBeat>`
    select beats.id, external_id, title, users.display_name as producer_name, genres.name as genre_name,
           ${state} as state, beats.updated_at
    from beats join users on users.id = beats.user_id join genres on genres.id = beats.genre_id
    where source = ${source} order by beats.id desc limit ${limit}`.execute(db);
  return rows;
}

export interface WithdrawnCounts {
  withdrawn: number;
  /** The number of beats that stay on sale because their exclusive license is held. */
  held: number;
}

/** Takes the beats of a source off sale. Beats that are off sale already stay unchanged. */
export async function withdrawSource(db: Queryable, source: string, options: BulkOptions): Promise<WithdrawnCounts> {
  const counts = { withdrawn: 0, held: 0 };
  await eachBatch(db, source, options, async (ids) => {
    counts.withdrawn += await setListed(db, ids, { isListed: false, now: options.now });
    counts.held += await countListed(db, ids);
  });
  return counts;
}

/**
 * Puts the withdrawn beats of a source back on sale, except beats with a production (production.ts), such as those that
 * their producer has edited or withdrawn. Sold beats stay sold. Returns the number of beats.
 */
export async function relistSource(db: Queryable, source: string, options: BulkOptions): Promise<number> {
  let total = 0;
  await eachBatch(db, source, options, async (ids) => {
    total += await setListed(db, ids, { isListed: true, now: options.now });
  });
  return total;
}

export interface DeletedCounts {
  deleted: number;
  /** The number of beats with an order. They are withdrawn instead of deleted. */
  kept: number;
  /** The number of `kept` beats that stay on sale because their exclusive license is held. */
  held: number;
}

/**
 * Deletes the beats of a source. Beats with an order are withdrawn instead, even if the order is placed during the
 * deletion.
 */
export async function deleteSource(db: Queryable, source: string, options: BulkOptions): Promise<DeletedCounts> {
  const counts = { deleted: 0, kept: 0, held: 0 };
  await eachBatch(db, source, options, async (ids) => {
    const deleted = await withoutNewOrders(() => deleteBatch(db, ids, options.now));
    counts.deleted += deleted;
    counts.kept += ids.length - deleted;
    counts.held += await countListed(db, ids);
  });
  return counts;
}

/** The ids of the genres of a source's beats. */
export async function genresOfSource(db: Queryable, source: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct genre_id as id from beats where source = ${source}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Withdraws before it deletes: triggers on `is_listed` maintain the counts and the change stream. */
const deleteBatch = (db: Queryable, ids: readonly number[], now: Date): Promise<number> =>
  transact(db, async (transaction) => {
    await setListed(transaction, ids, { isListed: false, now });
    const { numAffectedRows } = await sql`
      delete from beats where id = any(${ids}::bigint[])
        and not exists (select from orders where beat_id = beats.id)`.execute(transaction);
    return Number(numAffectedRows ?? 0);
  });

async function setListed(
  db: Queryable,
  ids: readonly number[],
  { isListed, now }: { isListed: boolean; now: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update beats set is_listed = ${isListed}, is_suspended = false, updated_at = ${now}
        where id = any(${ids}::bigint[]) and (is_listed or is_suspended) <> ${isListed} and not ${isFrozen(now)}
          and (not ${isListed}::boolean or not exists (select from beat_productions where beat_id = beats.id))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

async function countListed(db: Queryable, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ listed: number }>`
    select count(*) as listed from beats where id = any(${ids}::bigint[]) and is_listed`.execute(db);
  return rows[0]?.listed ?? 0;
}

async function eachBatch(
  db: Queryable,
  source: string,
  { signal, onProgress }: BulkOptions,
  work: (ids: readonly number[]) => Promise<void>,
): Promise<void> {
  let last = "";
  let visited = 0;
  while (signal?.aborted !== true) {
    const { rows } = await sql<{ id: number; external_id: string }>`
      select id, external_id from beats where source = ${source} and external_id > ${last}
      order by external_id limit ${batchSize}`.execute(db);
    if (rows.length > 0) await work(rows.map(({ id }) => id));
    visited += rows.length;
    onProgress?.(visited);
    last = rows.at(-1)?.external_id ?? last;
    if (rows.length < batchSize) return;
  }
}

const maxAttempts = 5;
const foreignKeyViolation = "23503";

/** Runs a batch again, up to four times, if an order was placed between the search for orders and the deletion. */
async function withoutNewOrders<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== foreignKeyViolation || attempt === maxAttempts) throw error;
    }
  }
}

/**
 * Moves the beats of claimed producers to the accounts that claimed them, in batches. Returns the number of beats.
 * Sends no event.
 */
export const moveJoinedBeats = (db: Queryable, now: Date): Promise<number> =>
  inBatches(async () => {
    const { numAffectedRows } = await sql`
      update beats set user_id = producer.joined_user_id, updated_at = ${now}
      from users producer
      where producer.id = beats.user_id and producer.joined_user_id is not null and beats.id in (
        select beats.id from users join beats on beats.user_id = users.id
        where joined_user_id is not null order by beats.id limit ${batchSize} for update of beats)`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
