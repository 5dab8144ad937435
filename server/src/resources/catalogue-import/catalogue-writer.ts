import { LRUCache } from "lru-cache";
import type { ReservedSql } from "postgres";
import type { Database } from "../../database/connect.ts";
import { correctableWords } from "../../search-words.ts";
import {
  BeatUpsert,
  findImported,
  type ImportedBeat,
  ImportedBefore,
  type KnownBeat,
  type OptionalField,
} from "../beats/upsert.ts";
import { upsertGenres } from "../genres/upsert.ts";
import { insertSearchWords } from "../search/write-words.ts";
import { type ImportedProducer, upsertProducers } from "../users/upsert.ts";
import type { Announcements } from "./announcements.ts";
import { detached } from "./cells.ts";
import type { ReadBeat } from "./read-beat.ts";

/** Enough for both processors of a small machine: the work is the database's, and each connection keeps one busy. */
const laneCount = 2;
/** Fewer beats than this are written by one lane, in the order of their rows. */
const minSharedBatch = 1000;
/** Remembered so that they need not be sent again. */
const maxProducersKnown = 100_000;
const maxGenresKnown = 10_000;
const maxWordsKnown = 200_000;
const maxAttempts = 5;

export interface WrittenCounts {
  created: number;
  updated: number;
  unchanged: number;
}

/** A connection that writes its share of every batch, one after another. */
interface Lane {
  sql: ReservedSql;
  last: Promise<void>;
}

/** A batch on its way: the identities in it, and the end of its writing. */
interface UnderWay {
  identities: ReadonlySet<string>;
  written: Promise<unknown>;
}

/** What is known of a batch before it is written. */
interface Placed {
  fresh: ReadBeat[];
  known: KnownBeat<ReadBeat>[];
}

/**
 * Writes batches of beats with their producers, genres and search words. First, on a connection that takes the batches
 * in order, a batch is freed of rows that repeat earlier ones, and its producers and genres are made; then its beats
 * are shared out to the lanes by producer, so that counts are brought up to date in few places, all of a share or none. The next batch may be read meanwhile.
 */
export class CatalogueWriter {
  readonly counts: WrittenCounts = { created: 0, updated: 0, unchanged: 0 };
  readonly #first: ReservedSql;
  readonly #before: ImportedBefore;
  readonly #lanes: Lane[];
  readonly #beats: BeatUpsert;
  readonly #now: Date;
  readonly #announcements: Announcements | null;
  readonly #producerIds = new LRUCache<string, number>({ max: maxProducersKnown });
  readonly #genreIds = new LRUCache<string, number>({ max: maxGenresKnown });
  readonly #wordsKnown = new Set<string>();
  #underWay: UnderWay[] = [];

  private constructor(
    connections: { first: ReservedSql; lanes: Lane[] },
    before: ImportedBefore,
    beats: BeatUpsert,
    now: Date,
    announcements: Announcements | null,
  ) {
    this.#first = connections.first;
    this.#lanes = connections.lanes;
    this.#before = before;
    this.#beats = beats;
    this.#now = now;
    this.#announcements = announcements;
  }

  /** `mapped` are the optional fields that the file has; `announcements` null: nobody is told. */
  static async open(
    database: Database,
    mapped: readonly OptionalField[],
    now: Date,
    announcements: Announcements | null,
  ): Promise<CatalogueWriter> {
    const first = await reserve(database);
    const lanes: Lane[] = [];
    while (lanes.length < laneCount) lanes.push({ sql: await reserve(database), last: Promise.resolve() });
    const before = await ImportedBefore.begin(first);
    return new CatalogueWriter({ first, lanes }, before, new BeatUpsert(mapped, now), now, announcements);
  }

  /** Takes beats by their identities. Resolves when the batch before this one is written: two are under way at most. */
  async write(batch: ReadonlyMap<string, ReadBeat>): Promise<void> {
    const { fresh, known } = await this.#place(batch);
    this.counts.unchanged += batch.size - fresh.length - known.length;
    const shareCount = batch.size < minSharedBatch ? 1 : laneCount;
    const written = Promise.all(
      this.#lanes.map((lane, index) => {
        const share = {
          fresh: fresh.filter(({ userId }) => userId % shareCount === index),
          known: known.filter(({ beat }) => beat.userId % shareCount === index),
        };
        lane.last = lane.last.then(() => this.#writeShare(lane.sql, share));
        return lane.last;
      }),
    );
    // Whoever waits for it next gets the error; until then it is not unhandled.
    written.catch(() => {});
    this.#underWay.push({ identities: new Set(batch.keys()), written });
    if (this.#underWay.length > 1) {
      await this.#underWay[0]?.written;
      this.#underWay.shift();
    }
  }

  /** Resolves when everything is written. */
  async finish(): Promise<void> {
    for (const { written } of this.#underWay) await written;
    this.#underWay = [];
    for (const index of ["beats_search", "users_search", "search_words_keys"])
      await this.#first`select gin_clean_pending_list(${index}::regclass)`;
  }

  /** Gives the connections back as they were. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay.map(({ written }) => written));
    for (const sql of [this.#first, ...this.#lanes.map((lane) => lane.sql)]) {
      await sql`discard temporary`.catch(() => {});
      await sql`reset all`.catch(() => {});
      sql.release();
    }
  }

  /** The batch without rows that repeat earlier ones; the others get the ids of their producers and genres. */
  async #place(batch: ReadonlyMap<string, ReadBeat>): Promise<Placed> {
    const beats = Array.from(batch)
      .filter(([identity]) => !this.#underWay.some(({ identities }) => identities.has(identity)))
      .map(([, beat]) => beat);
    const { fresh, known } = await this.#before.sort(beats);
    const all = [...fresh, ...known.map(({ beat }) => beat)];
    await this.#findProducers(all);
    await this.#findGenres(all);
    return { fresh, known };
  }

  async #findProducers(beats: readonly ReadBeat[]): Promise<void> {
    const missing = new Map<string, ImportedProducer>();
    for (const beat of beats) {
      beat.userId = this.#producerIds.get(beat.importName) ?? 0;
      if (beat.userId === 0 && !missing.has(beat.importName))
        missing.set(beat.importName, { importName: beat.importName, displayName: beat.producerName });
    }
    const producers = [...missing.values()];
    await this.#learnWords(
      this.#first,
      producers.map(({ displayName }) => displayName),
    );
    const ids = await retried(() => upsertProducers(this.#first, producers, this.#now));
    for (const beat of beats) if (beat.userId === 0) beat.userId = found(ids, beat.importName);
    for (const [importName, id] of ids) this.#producerIds.set(detached(importName), id);
  }

  async #findGenres(beats: readonly ReadBeat[]): Promise<void> {
    for (const beat of beats) beat.genreId = this.#genreIds.get(beat.genreName) ?? 0;
    const missing = new Set(beats.filter(({ genreId }) => genreId === 0).map(({ genreName }) => genreName));
    const ids = await retried(() => upsertGenres(this.#first, [...missing]));
    for (const beat of beats) if (beat.genreId === 0) beat.genreId = found(ids, beat.genreName);
    for (const [name, id] of ids) this.#genreIds.set(detached(name), id);
  }

  async #writeShare(sql: ReservedSql, { fresh, known }: Placed): Promise<void> {
    const { made, thereAlready } = await this.#insert(sql, fresh);
    const changed = await this.#beats.changed(sql, [...known, ...thereAlready]);
    if (changed.length > 0) {
      await this.#learnWords(
        sql,
        changed.map(({ beat }) => beat.title),
      );
      const update = () => this.#beats.update(sql, changed);
      await retried(() => this.#announcements?.update(sql, changed, update) ?? update());
    }
    this.counts.created += made;
    this.counts.updated += changed.length;
    this.counts.unchanged += fresh.length + known.length - made - changed.length;
  }

  /** Makes new beats. Those that another import makes at the same time are found to be there already. */
  async #insert(
    sql: ReservedSql,
    beats: readonly ImportedBeat[],
  ): Promise<{ made: number; thereAlready: KnownBeat[] }> {
    let fresh = beats;
    const thereAlready: KnownBeat[] = [];
    for (let attempt = 1; fresh.length > 0; attempt++) {
      await this.#learnWords(
        sql,
        fresh.map(({ title }) => title),
      );
      try {
        const insert = () => this.#beats.insert(sql, fresh);
        await (this.#announcements?.create(sql, fresh, insert) ?? insert());
        break;
      } catch (error) {
        if (!isPassing(error) || attempt === maxAttempts) throw error;
        const again = await findImported(sql, fresh);
        fresh = again.fresh;
        thereAlready.push(...again.known);
      }
    }
    return { made: fresh.length, thereAlready };
  }

  async #learnWords(sql: ReservedSql, texts: readonly string[]): Promise<void> {
    const words = new Set(texts.flatMap(correctableWords).filter((word) => !this.#wordsKnown.has(word)));
    await retried(() => insertSearchWords(sql, words));
    if (this.#wordsKnown.size > maxWordsKnown) this.#wordsKnown.clear();
    for (const word of words) this.#wordsKnown.add(detached(word));
  }
}

/** A connection with the settings of an import. */
async function reserve({ driver }: Database): Promise<ReservedSql> {
  const sql = await driver.reserve();
  // A crash may lose the last batches, which the next import of the file then makes. The plans are right for any size
  // of table, while the statistics lag behind what the import itself adds.
  await sql`set synchronous_commit = off`;
  await sql`set jit = off`;
  await sql`set enable_seqscan = off`;
  await sql`set enable_hashjoin = off`;
  await sql`set enable_mergejoin = off`;
  // Words are merged into their indexes in large portions; a search meanwhile takes some milliseconds longer.
  await sql`set gin_pending_list_limit = '8MB'`;
  await sql`set work_mem = '64MB'`;
  return sql;
}

function found(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} was neither found nor made.`);
  return id;
}

/** Deadlock, serialization failure, unique violation: another try may go well. */
const isPassing = (error: unknown): boolean =>
  ["40P01", "40001", "23505"].includes((error as { code?: string }).code ?? "");

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || attempt === maxAttempts) throw error;
    }
  }
}
