import type { Database, Queryable } from "../../../database/connection/connect.ts";
import {
  BeatUpsert,
  findImported,
  type ImportedBeat,
  ImportedBefore,
  type KnownBeat,
  type OptionalField,
} from "../../beats/upsert.ts";
import type { ReadBeat } from "../fields/read-beat.ts";
import { Vocabulary } from "../fields/vocabulary.ts";
import type { Announcements } from "./announcements.ts";
import { ImportSession, isBeingRead, isPassing, mergeWordLists, retried } from "./import-session.ts";

/**
 * Enough for both processors of a small machine: most of the work is the database's, a connection keeps one busy. While
 * somebody reads the catalogue, one lane works and leaves the other processor to them.
 */
const laneCount = 2;
/** Fewer beats than this are written by one lane, in the order of their rows. */
const minSharedBatch = 1000;
/** One that has been read, one whose producers are being found, one that is being written. */
const maxUnderWay = 3;

export interface WrittenCounts {
  created: number;
  updated: number;
  unchanged: number;
}

/** A connection that writes its share of every batch, one after another. */
interface Lane {
  session: ImportSession;
  last: Promise<void>;
}

/** A batch on its way. */
interface UnderWay {
  identities: ReadonlySet<string>;
  written: Promise<void>;
}

/** A batch, or a share of it, without rows that repeat earlier ones. */
interface Sorted {
  fresh: readonly ReadBeat[];
  known: readonly KnownBeat<ReadBeat>[];
}

/** A batch with all that its beats refer to, and among how many lanes it is shared out. */
interface Prepared extends Sorted {
  shareCount: number;
}

/**
 * Writes batches of beats with their producers, genres and search words. A first connection takes the batches in their
 * order, drops rows that repeat earlier ones and makes what the others refer to. Then a batch's beats are shared out to
 * the lanes, by producer, so that each producer's counts change in one place; a lane writes all or none of its share's
 * new beats. Batches follow each other closely: while one is written, the next is prepared and a third is read.
 */
export class CatalogueWriter {
  readonly counts: WrittenCounts = { created: 0, updated: 0, unchanged: 0 };
  readonly #first: ImportSession;
  readonly #lanes: readonly Lane[];
  readonly #before: ImportedBefore;
  readonly #vocabulary: Vocabulary;
  readonly #beats: BeatUpsert;
  readonly #announcements: Announcements | null;
  #prepared: Promise<void> = Promise.resolve();
  #underWay: UnderWay[] = [];

  private constructor(
    connections: { first: ImportSession; lanes: readonly Lane[] },
    before: ImportedBefore,
    mapped: readonly OptionalField[],
    now: Date,
    announcements: Announcements | null,
  ) {
    this.#first = connections.first;
    this.#lanes = connections.lanes;
    this.#before = before;
    this.#vocabulary = new Vocabulary(now);
    this.#beats = new BeatUpsert(mapped, now);
    this.#announcements = announcements;
  }

  /**
   * `mapped` are the optional fields that the file has; `announcements` null: nobody is told. `onBackend` is told of the
   * processes of PostgreSQL that write.
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
    return new CatalogueWriter({ first, lanes }, before, mapped, now, announcements);
  }

  /** Takes beats by their identities. Resolves when there is room for the next batch. */
  async write(batch: ReadonlyMap<string, ReadBeat>): Promise<void> {
    const earlier = this.#underWay.map(({ identities }) => identities);
    const shared = this.#prepared.then(async () => this.#share(await this.#prepare(batch, earlier)));
    this.#prepared = shared.then(() => {});
    const written = shared.then((shares) => shares.written).then(() => {});
    // Whoever waits for them next gets the error; until then it is not unhandled.
    this.#prepared.catch(() => {});
    written.catch(() => {});
    this.#underWay.push({ identities: new Set(batch.keys()), written });
    if (this.#underWay.length < maxUnderWay) return;
    await this.#underWay[0]?.written;
    this.#underWay.shift();
  }

  /** Resolves when everything is written. */
  async finish(): Promise<void> {
    for (const { written } of this.#underWay) await written;
    this.#underWay = [];
    await mergeWordLists(this.#sessions.map(({ db }) => db));
  }

  /** Gives the connections back. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay.map(({ written }) => written));
    for (const session of this.#sessions) await session.close();
  }

  get #sessions(): ImportSession[] {
    return [this.#first, ...this.#lanes.map(({ session }) => session)];
  }

  /** Drops rows that repeat earlier ones; makes the producers, genres and words of the others. */
  async #prepare(batch: ReadonlyMap<string, ReadBeat>, earlier: readonly ReadonlySet<string>[]): Promise<Prepared> {
    const beats = Array.from(batch)
      .filter(([identity]) => !earlier.some((identities) => identities.has(identity)))
      .map(([, beat]) => beat);
    const { fresh, known } = await this.#before.sort(beats);
    this.counts.unchanged += batch.size - fresh.length - known.length;
    const all = [...fresh, ...known.map(({ beat }) => beat)];
    await this.#vocabulary.findProducers(this.#first.db, all);
    await this.#vocabulary.findGenres(this.#first.db, all);
    await this.#vocabulary.learnWords(
      this.#first.db,
      fresh.map(({ title }) => title),
    );
    const isSmall = fresh.length + known.length < minSharedBatch;
    return { fresh, known, shareCount: isSmall || (await isBeingRead(this.#first.db)) ? 1 : laneCount };
  }

  /** Hands the shares to the lanes. Wrapped in an object, since only the next batch's place is waited for here. */
  #share({ fresh, known, shareCount }: Prepared): { written: Promise<unknown> } {
    const written = this.#lanes.map((lane, index) => {
      const share = {
        fresh: fresh.filter(({ userId }) => userId % shareCount === index),
        known: known.filter(({ beat }) => beat.userId % shareCount === index),
      };
      lane.last = lane.last.then(() => this.#writeShare(lane.session.db, share));
      lane.last.catch(() => {});
      return lane.last;
    });
    return { written: Promise.all(written) };
  }

  async #writeShare(db: Queryable, { fresh, known }: Sorted): Promise<void> {
    const { made, thereAlready } = await this.#insert(db, fresh);
    const changed = await this.#beats.changed(db, [...known, ...thereAlready]);
    if (changed.length > 0) {
      await this.#vocabulary.learnWords(
        db,
        changed.map(({ beat }) => beat.title),
      );
      const update = (on: Queryable) => this.#beats.update(on, changed);
      await retried(() => this.#announcements?.update(db, changed, update) ?? update(db));
    }
    this.counts.created += made;
    this.counts.updated += changed.length;
    this.counts.unchanged += fresh.length + known.length - made - changed.length;
  }

  /** Makes new beats. Those that another import makes at the same time are found to be there already. */
  async #insert(db: Queryable, beats: readonly ImportedBeat[]): Promise<{ made: number; thereAlready: KnownBeat[] }> {
    let fresh = beats;
    const thereAlready: KnownBeat[] = [];
    await retried(async () => {
      if (fresh.length === 0) return;
      const insert = (on: Queryable) => this.#beats.insert(on, fresh);
      try {
        await (this.#announcements?.create(db, fresh, insert) ?? insert(db));
      } catch (error) {
        if (isPassing(error)) {
          const again = await findImported(db, fresh);
          fresh = again.fresh;
          thereAlready.push(...again.known);
        }
        throw error;
      }
    });
    return { made: fresh.length, thereAlready };
  }
}
