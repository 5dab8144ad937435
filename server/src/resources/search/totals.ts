import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { wholeLexeme } from "../../search-words.ts";

/** A word that finds fewer beats is counted each time. */
export const keptFrom = 1_000;
/** Few words are that common: some four thousand among a million beats. */
const maxKept = 20_000;
const maxWanted = 1_000;
const learnedAtOnce = 5;
/** The counting waits no longer than this for others, and others wait no longer for it. */
const lockTimeoutMs = 50;
const countedAtOnce = 10_000;
/** With more beats than this changed since, a word is counted anew: that is faster. */
const maxUncounted = 1_000;

/** A word that was typed, and all that it finds as the text of a tsquery. */
export interface CommonWord {
  word: string;
  found: string;
}

/**
 * How many listed beats a word finds, as a scalar subquery; null if that is not kept. True as of the statement's
 * snapshot: what was counted, and what has changed since.
 */
export const keptTotal = ({ word, found }: CommonWord) => sql<number | null>`(
  select beats_count + difference
  from search_totals, lateral (${differenceSince(found)}) as since
  where word = ${word} and changed <= ${maxUncounted})`;

const differenceSince = (found: string) => sql`
  select count(*) as changed,
    coalesce(sum((is_listed and search @@ ${found}::tsquery)::integer), 0)
      - coalesce(sum((counted @@ ${found}::tsquery)::integer), 0) as difference
  from (select * from search_uncounted limit ${maxUncounted + 1}) as uncounted left join beats on beats.id = beat_id`;

/**
 * Keeps the totals of words that find many beats, so that no search has to count them: those that were asked for once.
 * The database's triggers note which beats have changed; they are counted here, off the way of whoever changed them.
 */
export class SearchTotals {
  readonly #db: Queryable;
  readonly #from: number;
  readonly #wanted = new Map<string, CommonWord>();

  /** Keeps the totals of words that find `from` beats or more. */
  constructor(db: Queryable, from = keptFrom) {
    this.#db = db;
    this.#from = from;
  }

  /** Has the total of a word kept from soon on. */
  want(word: CommonWord): void {
    if (this.#wanted.size < maxWanted) this.#wanted.set(word.word, word);
  }

  /** Counts what has changed, then a few of the words that are wanted. For a job that runs all the time. */
  async keep(): Promise<void> {
    if ((await this.#count()) === countedAtOnce) return;
    const words = Array.from(this.#wanted.values()).slice(0, learnedAtOnce);
    if (words.length === 0) return;
    // One that cannot be counted is not tried again and again.
    for (const { word } of words) this.#wanted.delete(word);
    if (!((await this.#begin()) && (await this.#learn(words)))) for (const word of words) this.want(word);
  }

  /**
   * Puts changed beats into the totals. Whatever is being changed at the same moment is left for the next time: a row
   * that is locked is passed over, one that was changed since the snapshot fails the transaction.
   */
  async #count(): Promise<number> {
    const counted = await this.#alone(async (snapshot) => {
      const { rows } = await sql<{ beats: number }>`
        with picked as materialized (
          select beat_id, counted from search_uncounted limit ${countedAtOnce} for update skip locked
        ),
        versions as (
          select 1 as sign, beats.search from picked join beats on beats.id = beat_id where is_listed
          union all
          select -1, counted from picked where counted is not null
        ),
        numbered as (select sign, search, row_number() over () as version from versions),
        finds as (
          select distinct version, sign, totals.word
          from numbered
            cross join unnest(tsvector_to_array(search)) as lexeme
            cross join generate_series(1, case when lexeme ^@ ${wholeLexeme([])} then 1 else length(lexeme) end) as size
            join search_totals as totals
              on totals.word = case when lexeme ^@ ${wholeLexeme([])} then substr(lexeme, 2) else left(lexeme, size) end
        ),
        differences as (select word, sum(sign) as beats from finds group by word having sum(sign) <> 0),
        written as (
          update search_totals as totals set beats_count = beats_count + beats
          from differences where totals.word = differences.word
        ),
        done as (delete from search_uncounted using picked where search_uncounted.beat_id = picked.beat_id)
        select count(*) as beats from picked`.execute(snapshot);
      return rows[0]?.beats ?? 0;
    });
    // Every search reads this table; what was deleted from it would be in the way until autovacuum comes by.
    if (counted === countedAtOnce) await sql`vacuum search_uncounted`.execute(this.#db);
    return counted ?? 0;
  }

  /** From here on every change is noted. False when one is under way that may not be. */
  async #begin(): Promise<boolean> {
    const { rows } = await sql`select from search_totals limit 1`.execute(this.#db);
    if (rows.length > 0) return true;
    const hasBegun = await unlessBusy(() =>
      this.#db.transaction().execute(async (transaction) => {
        await waitBriefly(transaction);
        await sql`lock table search_totals in share row exclusive mode`.execute(transaction);
        await sql`insert into search_totals (word, beats_count) values ('', 0) on conflict do nothing`.execute(
          transaction,
        );
        return true;
      }),
    );
    return hasBegun ?? false;
  }

  /** Counts words. False when too much has changed to do so now. */
  async #learn(words: CommonWord[]): Promise<boolean> {
    const isLearnt = await this.#alone(async (snapshot) => {
      const { rows } = await sql<{ kept: number; changed: number }>`
        select (select count(*) from search_totals) as kept,
               (select count(*) from (select from search_uncounted limit ${maxUncounted + 1}) as counted) as changed
      `.execute(snapshot);
      const [now] = rows;
      if (now === undefined || now.changed > maxUncounted) return false;
      for (const { word, found } of words.slice(0, Math.max(0, maxKept - now.kept)))
        await sql`
          insert into search_totals (word, beats_count)
          select ${word}, all_beats - difference
          from (select count(*) as all_beats from beats where search @@ ${found}::tsquery and is_listed) as counted,
            lateral (${differenceSince(found)}) as since
          where all_beats >= ${this.#from}
          on conflict do nothing`.execute(snapshot);
      return true;
    });
    return isLearnt ?? false;
  }

  /** Undefined when another instance is at it, or a change came between; nothing has happened then. */
  #alone<T>(work: (snapshot: Queryable) => Promise<T>): Promise<T | undefined> {
    return unlessBusy(() =>
      this.#db
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute(async (snapshot) => {
          await waitBriefly(snapshot);
          // Before the snapshot is taken, so that it holds all that the one before has counted. Bars no writer.
          await sql`lock table search_uncounted in share update exclusive mode`.execute(snapshot);
          await sql`set local enable_seqscan = off`.execute(snapshot);
          return work(snapshot);
        }),
    );
  }
}

const waitBriefly = (db: Queryable) => sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(db);

/** A serialization failure, a deadlock, a lock that was not to be had. */
const busy = ["40001", "40P01", "55P03"];

async function unlessBusy<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (busy.includes((error as { code?: string }).code ?? "")) return undefined;
    throw error;
  }
}
