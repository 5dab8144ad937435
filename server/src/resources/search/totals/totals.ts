import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { type TransactionOptions, transact } from "../../../database/connection/transaction.ts";
import { readQuery, type TypedWord, wholeLexeme } from "../../../text/search-words.ts";
import { type Lookup, lookupOf } from "../rules.ts";

/** Totals of words that match fewer beats are counted by each search. */
export const keptFrom = 1_000;
/** Common words are few: about 4,000 in a million beats. */
const maxKept = 20_000;
const maxQueued = 1_000;
/** Time limit of one batch of new words, to leave the database to other work. */
const batchTimeMs = 200;
const wordsPerBatch = 50;
/** How long the job waits for a lock, and keeps others waiting. */
const lockTimeoutMs = 50;
const beatsPerBatch = 10_000;
/** If more beats than this have changed, counting a word again is faster than adding the differences. */
const maxUncounted = 1_000;

/** A typed word, and the tsquery of everything that it finds. */
export interface CommonWord {
  word: string;
  found: string;
}

/** The typed word, if the search is for a single word. */
export function onlyWord(typed: readonly TypedWord[], { found }: Lookup): CommonWord | undefined {
  const [word, ...others] = typed;
  return word?.kind === "word" && others.length === 0 ? { word: word.text, found } : undefined;
}

/**
 * How many listed beats a word finds, as a scalar subquery; null if that total is not kept. Exact in the statement's
 * snapshot: the kept total plus the difference of the beats that changed since. If too many have changed, as after an
 * import that renames thousands, a word far above `cap` still finds more than `cap`, since each changed beat adds or
 * removes at most one; the result is then `cap` + 1.
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

/** What the changed beats, at most `maxUncounted`, add to the total of a word, as a scalar subquery. */
const differenceSince = (found: string) => sql`(
  select coalesce(sum((is_listed and search @@ ${found}::tsquery)::integer), 0)
    - coalesce(sum((counted @@ ${found}::tsquery)::integer), 0)
  from search_uncounted left join beats on beats.id = beat_id)`;

/**
 * Keeps the totals of words that find many beats, so that no search has to count them: words that were searched once,
 * and words that are common by PostgreSQL's statistics. Triggers record which beats have changed; a job adds the
 * differences to the totals, so that writers do not wait for it. Only statements that insert hundreds of beats have
 * them counted by the trigger (migration 0016).
 */
export class SearchTotals {
  readonly #db: Queryable;
  readonly #from: number;
  /** Searched at least once, by word. */
  readonly #queued = new Map<string, CommonWord>();
  /** Not searched yet, most common first. */
  #expected: CommonWord[] = [];

  /** `from` is the number of matching beats from which a total is kept. */
  constructor(db: Queryable, from = keptFrom) {
    this.#db = db;
    this.#from = from;
  }

  /** Queues a word whose total is to be kept. Ignored when the queue is full. */
  enqueue(word: CommonWord): void {
    if (this.#queued.size < maxQueued) this.#queued.set(word.word, word);
  }

  /** Adds changed beats to the totals, then counts a batch of queued words. For a job that runs every second. */
  async refresh(): Promise<void> {
    if ((await this.#addChanges()) === beatsPerBatch) return;
    const words = [...this.#queued.values(), ...this.#expected.slice(0, wordsPerBatch)].slice(0, wordsPerBatch);
    if (words.length === 0 || !(await this.#startRecording())) return;
    const tried: CommonWord[] = [];
    try {
      if (await this.#countWords(words, tried)) this.#dequeue(tried);
    } catch (error) {
      // A word that cannot be counted is not tried again.
      this.#dequeue(tried.slice(-1));
      throw error;
    }
  }

  #dequeue(words: readonly CommonWord[]): void {
    const done = new Set(words.map(({ word }) => word));
    for (const word of done) this.#queued.delete(word);
    this.#expected = this.#expected.filter(({ word }) => !done.has(word));
  }

  /**
   * Queues common words and their prefixes before anyone searches them: those that match enough beats by PostgreSQL's
   * statistics and have no total yet. For a job that runs every hour.
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
   * Adds changed beats to the totals and returns how many. Concurrent changes are left for the next run: locked rows are
   * skipped, and a row that changed after the snapshot fails the transaction.
   */
  async #addChanges(): Promise<number> {
    const counted = await this.#exclusively(async (snapshot) => {
      const { rows } = await sql<{ beats: number }>`
        with picked as materialized (
          select beat_id, counted from search_uncounted limit ${beatsPerBatch} for update skip locked
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
    // Every search reads this table; its dead rows would slow them down until the next autovacuum.
    if (counted === beatsPerBatch) await sql`vacuum search_uncounted`.execute(this.#db);
    return counted ?? 0;
  }

  /** Makes triggers record every change. False while a writer that may not be recorded is running. */
  async #startRecording(): Promise<boolean> {
    const { rows } = await sql`select from search_totals limit 1`.execute(this.#db);
    if (rows.length > 0) return true;
    const isStarted = await this.#unlessBusy(async (transaction) => {
      await sql`lock table search_totals in share row exclusive mode`.execute(transaction);
      await sql`insert into search_totals (word, beats_count) values ('', 0) on conflict do nothing`.execute(
        transaction,
      );
      return true;
    });
    return isStarted === true;
  }

  /**
   * Counts words until `batchTimeMs` is over, and adds those that it reached to `tried`. False, without effect, when too
   * many beats have changed.
   */
  async #countWords(words: readonly CommonWord[], tried: CommonWord[]): Promise<boolean> {
    const startedMs = performance.now();
    const isDone = await this.#exclusively(async (snapshot) => {
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
        if (performance.now() - startedMs > batchTimeMs) break;
      }
      return true;
    });
    return isDone ?? false;
  }

  /** Runs `work` on one instance at a time. Undefined, without effect, on a conflict with another instance or a writer. */
  #exclusively<T>(work: (snapshot: Queryable) => Promise<T>): Promise<T | undefined> {
    return this.#unlessBusy(
      async (snapshot) => {
        // Locked before the snapshot is taken, so that it includes what the previous run wrote. Blocks no writer.
        await sql`lock table search_uncounted in share update exclusive mode`.execute(snapshot);
        await sql`set local enable_seqscan = off`.execute(snapshot);
        return work(snapshot);
      },
      { isolation: "repeatable read" },
    );
  }

  /** Undefined, without effect, on a conflict with another transaction. */
  async #unlessBusy<T>(
    work: (transaction: Queryable) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T | undefined> {
    const attempt = async (transaction: Queryable) => {
      await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(transaction);
      return work(transaction);
    };
    try {
      // One attempt: the next run of the job is the next one.
      return await transact(this.#db, attempt, { ...options, attempts: 1 });
    } catch (error) {
      if (busy.includes((error as { code?: string }).code ?? "")) return undefined;
      throw error;
    }
  }
}

/** The search for a single word; undefined if the text is not one. */
function commonWord(text: string): CommonWord | undefined {
  const typed = readQuery(text);
  const lookup = lookupOf(typed);
  return lookup && onlyWord(typed, lookup);
}

/** Serialization failure, deadlock, lock not available. */
const busy = ["40001", "40P01", "55P03"];
