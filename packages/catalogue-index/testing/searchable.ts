import type { Engine } from "../src/engine/engine.ts";
import { openEngine } from "../src/engine/open-engine.ts";
import { type BeatEntry, type CatalogueChange, noChange } from "../src/entry.ts";
import type { SearchQuery } from "../src/query.ts";

/** A beat with names instead of ids. Without an `id`, a beat gets a higher id than earlier ones, so it is newer. */
export interface SearchableBeat extends Partial<BeatEntry> {
  title: string;
  /** The name of the producer. Beats with the same name have the same producer. */
  by?: string;
  genre?: string;
  plays?: number;
}

/** An engine whose beats, producers and genres are identified by name instead of number. */
export class Searchable {
  engine: Engine = openEngine();
  readonly titles = new Map<number, string>();
  readonly #names = new Map<string, number>();
  readonly #plays = new Map<string, number>();

  add(...beats: SearchableBeat[]): this {
    for (const { title, by = "Nightowl", genre = "Trap", plays = 0, ...others } of beats) {
      const id = others.id ?? this.titles.size + 1;
      this.titles.set(id, title);
      this.#plays.set(by, (this.#plays.get(by) ?? 0) + plays);
      const [producerId, genreId] = [this.idOf(by), this.idOf(genre)];
      this.apply({
        genres: [{ id: genreId, name: genre }],
        producers: [{ id: producerId, name: by, popularityKey: this.#plays.get(by) ?? 0 }],
        beats: [{ ...usual, id, title, producerId, genreId, popularityKey: plays, ...others }],
      });
    }
    return this;
  }

  apply(change: Partial<CatalogueChange>): void {
    this.engine.apply({ ...noChange, ...change });
  }

  /** The id of a producer or genre. */
  idOf(name: string): number {
    const id = this.#names.get(name) ?? this.#names.size + 1;
    this.#names.set(name, id);
    return id;
  }

  result(text: string, query: Partial<SearchQuery> = {}) {
    const result = this.engine.search({
      text,
      kinds: ["beats", "producers"],
      interpret: true,
      filters: {},
      offset: 0,
      limit: 20,
      ...query,
    });
    const names = new Map(Array.from(this.#names, ([name, id]) => [id, name]));
    return {
      ...result,
      names: result.hits.map(({ kind, id }) => (kind === "beat" ? this.titles.get(id) : `[${names.get(id)}]`)),
    };
  }

  /** Returns the titles and, in brackets, the names found, best first. */
  find(text: string, query: Partial<SearchQuery> = {}): (string | undefined)[] {
    return this.result(text, query).names;
  }
}

const usual = {
  tags: [],
  tempo: 120,
  keyCode: 24,
  priceCents: 1_000,
  durationSeconds: 180,
  createdAtMicroseconds: 0,
  availableLicenses: 15,
};

export const numbered = (count: number, beat: (number: number) => SearchableBeat): SearchableBeat[] =>
  Array.from({ length: count }, (_, index) => beat(index + 1));
