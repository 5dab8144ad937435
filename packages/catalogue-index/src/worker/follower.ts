import type { Engine } from "../engine/engine.ts";
import type { CatalogueChange } from "../entry.ts";
import { loadCatalogue, readChanged } from "./catalogue-rows.ts";
import { newestPlace, readChanges, type StreamPlace } from "./change-stream.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";

/** After this time a step of a catch-up fails: PostgreSQL is not responding, or the network is down. */
const stepTimeoutMs = 15_000;

/** An engine and the place in the change stream that it corresponds to. */
export class Follower {
  readonly engine: Engine;
  /** Number of changed beats, producers and genres applied since the engine was built or opened. */
  applied = 0;
  readonly #reader: SnapshotReader;
  #place: StreamPlace;
  /** Whether the rows have all changes up to the place, and no later ones. False between two steps. */
  #isWhole = true;

  constructor(reader: SnapshotReader, engine: Engine, place: StreamPlace) {
    this.#reader = reader;
    this.engine = engine;
    this.#place = place;
  }

  /** Builds the engine from all rows, in one snapshot of the database. `onProgress` gets the number of beats so far. */
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

  /** The position up to which the rows have all changes, and no later ones; null between two steps of a catch-up. */
  get position(): number | null {
    return this.#isWhole ? this.#place.position : null;
  }

  /**
   * Applies all changes after the current place, thousands in a step. It stops at the change that was the newest
   * when it began; otherwise writers that are as fast would keep it from ending. Resolves to null, or to the reason why
   * the place is not in the stream; then the engine must be rebuilt.
   */
  async catchUp(): Promise<string | null> {
    for (let end: number | null = null; ; ) {
      const step = await this.#reader.read(
        async (query) => {
          const batch = await readChanges(query, this.#place);
          if ("reason" in batch) return batch;
          const changedIds = { ...batch, formerProducers: this.#producersOf(batch.beats) };
          const hasRows = batch.beats.length + batch.users.length + batch.genres.length > 0;
          return { batch, rows: hasRows ? await readChanged(query, changedIds) : null };
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
