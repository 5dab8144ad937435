import { detached } from "@beatmarket/tabular-files/cells/remembered.ts";
import { LRUCache } from "lru-cache";
import type { Queryable } from "../../../database/connect.ts";
import { upsertGenres } from "../../genres/genres.ts";
import { type ImportedProducer, upsertProducers } from "../../users/producers.ts";
import type { ReadBeat } from "../fields/read-beat.ts";
import { withRetries } from "./import-session.ts";

const maxCachedProducers = 100_000;
const maxCachedGenres = 10_000;

/** Finds or creates the producers and genres of an import, and caches the ids of the most recent ones. */
export class Vocabulary {
  readonly #now: Date;
  readonly #producerIds = new LRUCache<string, number>({ max: maxCachedProducers });
  readonly #genreIds = new LRUCache<string, number>({ max: maxCachedGenres });

  constructor(now: Date) {
    this.#now = now;
  }

  /** Sets the ids of the beats' producers. */
  async findProducers(db: Queryable, beats: readonly ReadBeat[]): Promise<void> {
    const missing = new Map<string, ImportedProducer>();
    for (const beat of beats) {
      const { import_name: importName, producer_name: displayName } = beat;
      beat.user_id = this.#producerIds.get(importName) ?? 0;
      // The first row that names a producer determines the spelling of the name.
      if (beat.user_id === 0 && !missing.has(importName)) missing.set(importName, { importName, displayName });
    }
    const producers = [...missing.values()];
    const ids = await withRetries(() => upsertProducers(db, producers, this.#now));
    for (const beat of beats) if (beat.user_id === 0) beat.user_id = idOf(ids, beat.import_name);
    for (const [importName, id] of ids) this.#producerIds.set(detached(importName), id);
  }

  /** Sets the ids of the beats' genres. */
  async findGenres(db: Queryable, beats: readonly ReadBeat[]): Promise<void> {
    for (const beat of beats) beat.genre_id = this.#genreIds.get(beat.genre_name) ?? 0;
    const missing = new Set(beats.filter(({ genre_id }) => genre_id === 0).map(({ genre_name }) => genre_name));
    const ids = await withRetries(() => upsertGenres(db, [...missing]));
    for (const beat of beats) if (beat.genre_id === 0) beat.genre_id = idOf(ids, beat.genre_name);
    for (const [name, id] of ids) this.#genreIds.set(detached(name), id);
  }
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} has no id.`);
  return id;
}
