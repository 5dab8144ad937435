import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { readQuery, type TypedWord, wholeLexeme } from "../../../search-words.ts";
import { type Lookup, lookupOf } from "../rules.ts";

/** A word that finds fewer beats is counted each time. */
export const keptFrom = 1_000;
/** Few words are that common: some four thousand among a million beats. */
const maxKept = 20_000;
const maxWanted = 1_000;
/** So that the rest of the time the database is there for others. */
const learningMs = 200;
const learnedAtOnce = 50;
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

/** The typed word, if it is one alone. */
export function onlyWord(typed: readonly TypedWord[], { found }: Lookup): CommonWord | undefined {
  const [word, ...others] = typed;
  return word?.kind === "word" && others.length === 0 ? { word: word.text, found } : undefined;
}

/**
 * How many listed beats a word finds, as a scalar subquery; null if that is not kept. True as of the statement's
 * snapshot: what was counted, and what has changed since. While too much has changed to look at, as by an import that
 * renames thousands, it is still known of a word that finds far more than `cap` that it finds more than that, since each beat that changed adds or
 * takes one at most; then it is `cap` and one.
 */
export const keptTotal = ({ word, found }: CommonWord, cap: number) => sql<number | null>`(
  select case
    when changed <= ${maxUncounted} then beats_count + ${differenceSince(found)}
    when beats_count - changed > ${cap} then ${cap + 1}::bigint
  end
  from search_totals, lateral (
    select count(*) as changed
    from (select from search_uncounted limit greatest(${maxUncounted}, beats_count - ${cap}) + 1) as counted
  ) as uncounted
  where word = ${word})`;

/** What the beats that have changed add to the total of a word, as a scalar subquery: of at most `maxUncounted`. */
const differenceSince = (found: string) => sql`(
  select coalesce(sum((is_listed and search @@ ${found}::tsquery)::integer), 0)
    - coalesce(sum((counted @@ ${found}::tsquery)::integer), 0)
  from search_uncounted left join beats on beats.id = beat_id)`;

/**
 * Keeps the totals of words that find many beats, so that no search has to count them: those that were asked for once,
 * and those that PostgreSQL's statistics of the catalogue say are common. The database's triggers note which beats have
 * changed; they are counted here, off the way of whoever changed them. Only beats that are made by the hundred are counted
 * by the triggers themselves (migration 0016).
 */
export class SearchTotals {
  readonly #db: Queryable;
  readonly #from: number;
  /** Asked for. */
  readonly #wanted = new Map<string, CommonWord>();
  /** Not asked for yet, commonest first. */
  #expected: CommonWord[] = [];

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
    const words = [...this.#wanted.values(), ...this.#expected.slice(0, learnedAtOnce)].slice(0, learnedAtOnce);
    if (words.length === 0 || !(await this.#begin())) return;
    const tried: CommonWord[] = [];
    try {
      if (await this.#learn(words, tried)) this.#forget(tried);
    } catch (error) {
      // One that cannot be counted is not tried again and again.
      this.#forget(tried.slice(-1));
      throw error;
    }
  }

  #forget(words: readonly CommonWord[]): void {
    const forgotten = new Set(words.map(({ word }) => word));
    for (const word of forgotten) this.#wanted.delete(word);
    this.#expected = this.#expected.filter(({ word }) => !forgotten.has(word));
  }

  /**
   * Has the totals of common words and their beginnings kept before anybody asks for them: those that by PostgreSQL's
   * statistics find enough beats, as far as they are not kept. For a job that runs once in a while.
   */
  async expectCommonWords(): Promise<void> {
    const { rows } = await sql<{ word: string }>`
      with lexemes as (
        select lexeme, frequency * (select reltuples from pg_class where oid = 'beats'::regclass) as beats
        from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as common (lexeme, frequency)
        where (schemaname, tablename, attname) = (current_schema(), 'beats', 'search')
      ),
      words as (
        select left(lexeme, size) as word, sum(beats) as beats
        from lexemes cross join generate_series(1, length(lexeme)) as size
        where not lexeme ^@ ${wholeLexeme([])}
        group by word
      )
      select word from words
      where beats >= ${this.#from} and not exists (select from search_totals where search_totals.word = words.word)
      order by beats desc limit ${maxKept}`.execute(this.#db);
    this.#expected = rows.flatMap(({ word }) => commonWord(word) ?? []);
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
        finds as (
          select word, beats from found_by_kept_words(
            array(select search from picked join beats on beats.id = beat_id where is_listed))
          union all
          select word, -beats from found_by_kept_words(array(select counted from picked where counted is not null))
        ),
        differences as (select word, sum(beats) as beats from finds group by word having sum(beats) <> 0),
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

  /**
   * Counts words, for a moment; `tried` are those that it came to. False when too much has changed to do so now, and then
   * nothing has happened.
   */
  async #learn(words: readonly CommonWord[], tried: CommonWord[]): Promise<boolean> {
    const startedMs = performance.now();
    const isLearnt = await this.#alone(async (snapshot) => {
      const { rows } = await sql<{ kept: number; changed: number }>`
        select (select count(*) from search_totals) as kept,
               (select count(*) from (select from search_uncounted limit ${maxUncounted + 1}) as counted) as changed
      `.execute(snapshot);
      const [now] = rows;
      if (now === undefined || now.changed > maxUncounted) return false;
      for (const each of words) {
        tried.push(each);
        if (now.kept + tried.length > maxKept) continue;
        const { word, found } = each;
        await sql`
          insert into search_totals (word, beats_count)
          select ${word}, all_beats - ${differenceSince(found)}
          from (select count(*) as all_beats from beats where search @@ ${found}::tsquery and is_listed) as counted
          where all_beats >= ${this.#from} and not exists (select from search_totals where word = ${word})
          on conflict do nothing`.execute(snapshot);
        if (performance.now() - startedMs > learningMs) break;
      }
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

/** What somebody who types this alone looks for; undefined when that is no word. */
function commonWord(text: string): CommonWord | undefined {
  const typed = readQuery(text);
  const lookup = lookupOf(typed);
  return lookup && onlyWord(typed, lookup);
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
