import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Queryable } from "../../../database/connect.ts";
import type { ImportedBeat, OptionalField } from "../../beats/beat.ts";
import { BeatUpsert, type ExistingBeat, findImported, ImportedBefore } from "../../beats/write/upsert.ts";
import { findErasedImportNames } from "../../users/producers.ts";
import type { ReadBeat } from "../fields/read-beat.ts";
import type { Announcements } from "./announcements.ts";
import { ImportSession, isBeingRead, isRetryable, Vocabulary, withRetries } from "./import-session.ts";

/** The rows of one transaction while clients read. The catalogue index applies them in a few milliseconds. */
const maxRowsWithReaders = 125;
/** The length of the pause after such a transaction, in lengths of the transaction. */
const pauseFactor = 1.5;
/** After a read, clients count as readers for this time. */
const holdMs = 3_000;

/**
 * Slows an import while clients read the catalogue: their reads wait until the index has applied the committed rows.
 * While they read, each transaction has few rows, and a pause follows it.
 */
class Pace {
  #lastReadMs = Number.NEGATIVE_INFINITY;

  /** Whether a client has read the catalogue within `holdMs`. */
  async hasReaders(db: Queryable): Promise<boolean> {
    if (await isBeingRead(db)) this.#lastReadMs = performance.now();
    return performance.now() - this.#lastReadMs < holdMs;
  }

  /** Calls `write`, which is one transaction, with all rows, or repeatedly with a few while clients read. */
  async write<Row>(
    db: Queryable,
    rows: readonly Row[],
    write: (rowsOfTransaction: readonly Row[]) => Promise<void>,
  ): Promise<void> {
    for (let from = 0; from < rows.length; ) {
      const hasReaders = await this.hasReaders(db);
      const to = hasReaders ? from + maxRowsWithReaders : rows.length;
      const startedMs = performance.now();
      await write(rows.slice(from, to));
      from = to;
      if (hasReaders) await sleep(pauseFactor * (performance.now() - startedMs));
    }
  }
}

/**
 * Uses both processors of a small machine: PostgreSQL does most of the work, and each connection keeps one processor
 * busy. While clients read the catalogue, only one lane works, with pauses (`Pace`), so that one processor is free for
 * clients.
 */
const laneCount = 2;
/** Smaller batches are written by one lane, in the order of their rows. */
const minSharedBatch = 1000;
/** One batch is read, one is prepared, and one is written. */
const maxInFlight = 3;

export interface WrittenCounts {
  created: number;
  updated: number;
  unchanged: number;
  /** The number of `unchanged` beats that differ from the file, but whose exclusive license is held or sold. */
  frozen: number;
}

/** A connection that writes shares of batches, one after another. */
interface Lane {
  session: ImportSession;
  last: Promise<void>;
}

/** A batch that is being prepared or written. */
interface InFlight {
  identities: ReadonlySet<string>;
  written: Promise<void>;
}

/** A batch, or a share of it, without repetitions of earlier rows. */
interface SortedBatch {
  newBeats: readonly ReadBeat[];
  existingBeats: readonly ExistingBeat<ReadBeat>[];
}

/** A batch whose producers and genres exist, and the number of lanes that it is distributed to. */
interface PreparedBatch extends SortedBatch {
  shareCount: number;
}

/**
 * Writes batches of beats with their producers and genres. The first connection prepares the batches in order: it drops
 * repetitions of earlier rows and creates producers and genres. Then the beats of a batch are distributed to the lanes
 * by producer, so that only one lane changes the counts of a producer. A transaction writes all or none of its new
 * beats. The batches form a pipeline: while one is written, the next is prepared and a third is read.
 */
export class CatalogueWriter {
  readonly counts: WrittenCounts = { created: 0, updated: 0, unchanged: 0, frozen: 0 };
  /** The import names of producers whose accounts were erased. */
  readonly erasedProducers: ReadonlySet<string>;
  readonly #first: ImportSession;
  readonly #lanes: readonly Lane[];
  readonly #before: ImportedBefore;
  readonly #vocabulary: Vocabulary;
  readonly #beats: BeatUpsert;
  readonly #announcements: Announcements | null;
  readonly #pace = new Pace();
  #prepared: Promise<void> = Promise.resolve();
  #inFlight: InFlight[] = [];

  private constructor(
    connections: { first: ImportSession; lanes: readonly Lane[] },
    { before, erasedProducers }: { before: ImportedBefore; erasedProducers: ReadonlySet<string> },
    mapped: readonly OptionalField[],
    now: Date,
    announcements: Announcements | null,
  ) {
    this.#first = connections.first;
    this.#lanes = connections.lanes;
    this.#before = before;
    this.erasedProducers = erasedProducers;
    this.#vocabulary = new Vocabulary(now);
    this.#beats = new BeatUpsert(mapped, now);
    this.#announcements = announcements;
  }

  /**
   * `mapped` are the optional fields of the file; with `announcements` null no events are emitted. `onBackend` is
   * called with the process ids of the PostgreSQL backends.
   */
  static async open(
    database: Database,
    mapped: readonly OptionalField[],
    now: Date,
    announcements: Announcements | null,
    onBackend: (pid: number) => void,
  ): Promise<CatalogueWriter> {
    const first = await ImportSession.open(database, onBackend);
    const lanes: Lane[] = [];
    while (lanes.length < laneCount)
      lanes.push({ session: await ImportSession.open(database, onBackend), last: Promise.resolve() });
    const before = await ImportedBefore.begin(first.db);
    const erasedProducers = await findErasedImportNames(first.db);
    return new CatalogueWriter({ first, lanes }, { before, erasedProducers }, mapped, now, announcements);
  }

  /** Writes a batch of beats by identity. Resolves when the next batch can be accepted. */
  async write(batch: ReadonlyMap<string, ReadBeat>): Promise<void> {
    const earlier = this.#inFlight.map(({ identities }) => identities);
    const shared = this.#prepared.then(async () => this.#share(await this.#prepare(batch, earlier)));
    this.#prepared = shared.then(() => {});
    const written = shared.then((shares) => shares.written).then(() => {});
    // The next await of these promises gets the error; until then it must not count as unhandled.
    this.#prepared.catch(() => {});
    written.catch(() => {});
    this.#inFlight.push({ identities: new Set(batch.keys()), written });
    if (this.#inFlight.length < maxInFlight) return;
    await this.#inFlight[0]?.written;
    this.#inFlight.shift();
  }

  /** Resolves when everything is written. */
  async finish(): Promise<void> {
    for (const { written } of this.#inFlight) await written;
    this.#inFlight = [];
  }

  /** Releases the connections. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#inFlight.map(({ written }) => written));
    for (const session of this.#sessions) await session.close();
  }

  get #sessions(): ImportSession[] {
    return [this.#first, ...this.#lanes.map(({ session }) => session)];
  }

  /** Drops repetitions of earlier rows; creates the producers and genres of the other rows. */
  async #prepare(
    batch: ReadonlyMap<string, ReadBeat>,
    earlier: readonly ReadonlySet<string>[],
  ): Promise<PreparedBatch> {
    const beats = Array.from(batch)
      .filter(([identity]) => !earlier.some((identities) => identities.has(identity)))
      .map(([, beat]) => beat);
    const { newBeats, existingBeats } = await this.#before.sort(beats);
    this.counts.unchanged += batch.size - newBeats.length - existingBeats.length;
    const allBeats = [...newBeats, ...existingBeats.map(({ beat }) => beat)];
    await this.#vocabulary.findProducers(this.#first.db, allBeats);
    await this.#vocabulary.findGenres(this.#first.db, allBeats);
    const isSmall = newBeats.length + existingBeats.length < minSharedBatch;
    return {
      newBeats,
      existingBeats,
      shareCount: isSmall || (await this.#pace.hasReaders(this.#first.db)) ? 1 : laneCount,
    };
  }

  /**
   * Passes the shares to the lanes. An object wraps the promise, so that `await` of the result does not wait for the
   * writes.
   */
  #share({ newBeats, existingBeats, shareCount }: PreparedBatch): { written: Promise<unknown> } {
    const written = this.#lanes.map((lane, index) => {
      const share = {
        newBeats: newBeats.filter(({ user_id }) => user_id % shareCount === index),
        existingBeats: existingBeats.filter(({ beat }) => beat.user_id % shareCount === index),
      };
      lane.last = lane.last.then(() => this.#writeShare(lane.session.db, share));
      lane.last.catch(() => {});
      return lane.last;
    });
    return { written: Promise.all(written) };
  }

  async #writeShare(db: Queryable, { newBeats, existingBeats }: SortedBatch): Promise<void> {
    const concurrentBeats: ExistingBeat[] = [];
    await this.#pace.write(
      db,
      newBeats,
      async (rowsOfTransaction) => void concurrentBeats.push(...(await this.#insert(db, rowsOfTransaction))),
    );
    const changedBeats = await this.#beats.changed(db, [...existingBeats, ...concurrentBeats]);
    let updated = 0;
    await this.#pace.write(db, changedBeats, async (rowsOfTransaction) => {
      updated += await this.#update(db, rowsOfTransaction);
    });
    const existing = existingBeats.length + concurrentBeats.length;
    this.counts.created += newBeats.length - concurrentBeats.length;
    this.counts.updated += updated;
    this.counts.unchanged += existing - updated;
    this.counts.frozen += changedBeats.length - updated;
  }

  /** Creates new beats. Returns the beats that a concurrent import created. */
  async #insert(db: Queryable, beats: readonly ImportedBeat[]): Promise<ExistingBeat[]> {
    let newBeats = beats;
    const concurrentBeats: ExistingBeat[] = [];
    await withRetries(async () => {
      if (newBeats.length === 0) return;
      const insert = (on: Queryable) => this.#beats.insert(on, newBeats);
      try {
        await (this.#announcements?.create(db, newBeats, insert) ?? insert(db));
      } catch (error) {
        if (isRetryable(error)) {
          const again = await findImported(db, newBeats);
          newBeats = again.newBeats;
          concurrentBeats.push(...again.existingBeats);
        }
        throw error;
      }
    });
    return concurrentBeats;
  }

  /** Returns the number of updated beats. */
  #update(db: Queryable, changedBeats: readonly ExistingBeat[]): Promise<number> {
    const update = (on: Queryable) => this.#beats.update(on, changedBeats);
    return withRetries(() => this.#announcements?.update(db, changedBeats, update) ?? update(db));
  }
}
