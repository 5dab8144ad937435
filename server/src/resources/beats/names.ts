import { LRUCache } from "lru-cache";
import type postgres from "postgres";
import { batched } from "../../database/batched.ts";
import type { CatalogueVersion } from "../../database/catalogue-version.ts";
import type { Beat } from "./beat.ts";

const maxProducers = 50_000;

/** A beat's row without the names it is shown with. */
export type Nameless<Row extends Beat> = Omit<Row, "producer_name" | "genre_name" | "genre_slug">;

interface GenreName {
  name: string;
  slug: string;
}

/**
 * The names that beats are shown with, remembered until one of them changes: looking them up with every row would
 * cost more than the rows do.
 */
export class BeatNames {
  readonly #version: CatalogueVersion;
  readonly #producers = new LRUCache<number, string>({ max: maxProducers });
  readonly #genres = new Map<number, GenreName>();
  readonly #findProducer: (id: number) => Promise<string | undefined>;
  readonly #findGenre: (id: number) => Promise<GenreName | undefined>;
  #rememberedUnder: number;

  constructor(reader: postgres.Sql, version: CatalogueVersion) {
    this.#version = version;
    this.#rememberedUnder = version.names;
    this.#findProducer = batched(async (ids) => {
      const rows = await reader<{ id: number; display_name: string }[]>`
        select id, display_name from users where id = any (${ids as number[]}::bigint[])`;
      return new Map(rows.map(({ id, display_name }) => [id, display_name]));
    });
    this.#findGenre = batched(async (ids) => {
      const rows = await reader<(GenreName & { id: number })[]>`
        select id, name, slug from genres where id = any (${ids as number[]}::bigint[])`;
      return new Map(rows.map(({ id, name, slug }) => [id, { name, slug }]));
    });
  }

  /** Gives each row its names, in place; at once when all are remembered. */
  complete<Row extends Nameless<Beat>>(rows: readonly Row[]): (Row & Beat)[] | Promise<(Row & Beat)[]> {
    const version = this.#version.names;
    if (this.#rememberedUnder !== version) {
      this.#producers.clear();
      this.#genres.clear();
      this.#rememberedUnder = version;
    }
    const named = rows as (Row & Beat)[];
    let missing: (Row & Beat)[] | undefined;
    for (const row of named) {
      const producer = this.#producers.get(row.user_id);
      const genre = this.#genres.get(row.genre_id);
      if (producer === undefined || genre === undefined) {
        missing ??= [];
        missing.push(row);
        continue;
      }
      name(row, producer, genre);
    }
    return missing === undefined ? named : this.#lookUp(missing, version).then(() => named);
  }

  async #lookUp(rows: Beat[], version: number): Promise<void> {
    await Promise.all(
      rows.map(async (row) => {
        const [producer, genre] = await Promise.all([
          this.#producers.get(row.user_id) ?? this.#findProducer(row.user_id),
          this.#genres.get(row.genre_id) ?? this.#findGenre(row.genre_id),
        ]);
        if (producer === undefined || genre === undefined)
          throw new Error(`Beat ${row.id} has no producer ${row.user_id} or no genre ${row.genre_id}.`);
        name(row, producer, genre);
        // What was read before a change must not be kept behind it.
        if (version !== this.#version.names || version !== this.#rememberedUnder) return;
        this.#producers.set(row.user_id, producer);
        this.#genres.set(row.genre_id, genre);
      }),
    );
  }
}

function name(row: Beat, producer: string, genre: GenreName): void {
  row.producer_name = producer;
  row.genre_name = genre.name;
  row.genre_slug = genre.slug;
}
