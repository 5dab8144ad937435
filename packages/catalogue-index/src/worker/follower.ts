import type { Engine } from "../engine/engine.ts";
import type { CatalogueChange } from "../entry.ts";
import { loadCatalogue, readChanged } from "./catalogue-rows.ts";
import { newestPlace, readChanges, type StreamPlace } from "./change-stream.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";

/** Beyond this a catch-up has failed: PostgreSQL is silent, or the network. */
const stepTimeoutMs = 15_000;

/** An engine and the place in the change stream that it is as of. */
export class Follower {
  readonly engine: Engine;
  /** Changed beats, producers and genres that were applied, since it was built or opened. */
  applied = 0;
  readonly #reader: SnapshotReader;
  #place: StreamPlace;
  /** Whether the rows are exactly as of the place: not between two steps. */
  #isWhole = true;

  constructor(reader: SnapshotReader, engine: Engine, place: StreamPlace) {
    this.#reader = reader;
    this.engine = engine;
    this.#place = place;
  }

  /** Builds it from all rows, in one snapshot of the database. `onProgress` gets the number of beats so far. */
  static build(reader: SnapshotReader, engine: Engine, onProgress: (beats: number) => void): Promise<Follower> {
    return reader.read(async (query) => {
      const place = await newestPlace(query);
      for await (const rows of loadCatalogue(query)) {
        engine.apply(rows);
        onProgress(engine.beats);
      }
      while (engine.compact());
      return new Follower(reader, engine, place);
    });
  }

  get place(): StreamPlace {
    return this.#place;
  }

  /** What the rows are exactly as of; null while a catch-up is between two steps. */
  get position(): number | null {
    return this.#isWhole ? this.#place.position : null;
  }

  /**
   * Takes in all changes that are behind the place now, in steps of some thousand; those that come in the meantime only with the
   * last step, or writers that are as fast would keep it from an end. Resolves to null, or to why the place is not in the
   * stream, after which another has to be built.
   */
  async catchUp(): Promise<string | null> {
    for (let end: number | null = null; ; ) {
      const step = await this.#reader.read(
        async (query) => {
          const batch = await readChanges(query, this.#place);
          if ("reason" in batch) return batch;
          const changed = { ...batch, formerProducers: this.#producersOf(batch.beats) };
          const hasRows = batch.beats.length + batch.users.length + batch.genres.length > 0;
          return { batch, rows: hasRows ? await readChanged(query, changed) : null };
        },
        { timeoutMs: stepTimeoutMs },
      );
      if ("reason" in step) return step.reason;
      if (step.rows !== null) this.#apply(step.rows);
      this.#place = step.batch.place;
      this.#isWhole = step.batch.isNewest;
      end ??= step.batch.newest;
      if (this.#place.position >= end) return null;
    }
  }

  #apply(rows: CatalogueChange): void {
    this.engine.apply(rows);
    for (const each of Object.values(rows)) this.applied += each.length;
  }

  #producersOf(beats: readonly number[]): number[] {
    return [...new Set(beats.flatMap((id) => this.engine.producerOf(id) ?? []))];
  }
}
