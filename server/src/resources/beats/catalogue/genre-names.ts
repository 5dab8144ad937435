import { batched } from "@beatmarket/postgres/connection/batched.ts";
import type { Reader } from "@beatmarket/postgres/connection/reader.ts";
import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import type { Beat } from "../beat.ts";

/** A beat's row before its genre is attached. */
export type WithoutGenre<Row extends Beat> = Omit<Row, "genre_name" | "genre_slug">;

export interface GenreName {
  name: string;
  slug: string;
}

/**
 * Caches the names of genres until one of them changes: genres are few, and every beat needs one. There may be as many
 * producers as beats, so their names are read with the beats.
 */
export class GenreNames {
  readonly #version: CatalogueVersion;
  readonly #names = new Map<number, GenreName>();
  readonly #read: (id: number) => Promise<GenreName | undefined>;
  #cachedVersion: number;

  constructor(reader: Reader, version: CatalogueVersion) {
    this.#version = version;
    this.#cachedVersion = version.names;
    this.#read = batched(async (ids) => {
      const rows = await reader.query<GenreName & { id: number }>(
        "select id, name, slug from genres where id = any ($1::bigint[])",
        [ids],
      );
      return new Map(rows.map(({ id, name, slug }) => [id, { name, slug }]));
    });
  }

  /** The names of genres, by id. Unknown ids are omitted. Returns a promise only if one has to be read. */
  find(ids: readonly number[]): ReadonlyMap<number, GenreName> | Promise<ReadonlyMap<number, GenreName>> {
    const version = this.#version.names;
    if (this.#cachedVersion !== version) {
      this.#names.clear();
      this.#cachedVersion = version;
    }
    const missing = ids.filter((id) => !this.#names.has(id));
    return missing.length === 0 ? this.#names : this.#lookUp(ids, missing, version);
  }

  /** Sets the name and slug of each row's genre, in place. Returns a promise only if a genre has to be read. */
  attachGenres<Row extends WithoutGenre<Beat>>(rows: readonly Row[]): (Row & Beat)[] | Promise<(Row & Beat)[]> {
    const names = this.find(rows.map((row) => row.genre_id));
    return names instanceof Promise ? names.then((read) => attach(rows, read)) : attach(rows, names);
  }

  /** Returns a separate map, since the cache may be emptied in the meantime. */
  async #lookUp(ids: readonly number[], missing: readonly number[], version: number): Promise<Map<number, GenreName>> {
    const names = new Map(ids.flatMap((id) => entryOf(id, this.#names.get(id))));
    await Promise.all(
      missing.map(async (id) => {
        const genre = await this.#read(id);
        if (genre === undefined) return;
        names.set(id, genre);
        // A name read before a change must not be cached after it.
        if (version === this.#version.names && version === this.#cachedVersion) this.#names.set(id, genre);
      }),
    );
    return names;
  }
}

const entryOf = (id: number, name: GenreName | undefined): [number, GenreName][] =>
  name === undefined ? [] : [[id, name]];

function attach<Row extends WithoutGenre<Beat>>(
  rows: readonly Row[],
  names: ReadonlyMap<number, GenreName>,
): (Row & Beat)[] {
  const beats = rows as (Row & Beat)[];
  for (const beat of beats) {
    const genre = names.get(beat.genre_id);
    if (genre === undefined) throw new Error(`Beat ${beat.id} has no genre ${beat.genre_id}.`);
    beat.genre_name = genre.name;
    beat.genre_slug = genre.slug;
  }
  return beats;
}
