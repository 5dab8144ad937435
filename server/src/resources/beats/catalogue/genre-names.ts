import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { batched } from "../../../database/connection/batched.ts";
import type { Reader } from "../../../database/connection/reader.ts";
import type { Beat } from "../beat.ts";

/** A beat's row before its genre is attached. */
export type WithoutGenre<Row extends Beat> = Omit<Row, "genre_name" | "genre_slug">;

interface GenreName {
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
  readonly #find: (id: number) => Promise<GenreName | undefined>;
  #cachedVersion: number;

  constructor(reader: Reader, version: CatalogueVersion) {
    this.#version = version;
    this.#cachedVersion = version.names;
    this.#find = batched(async (ids) => {
      const rows = await reader.query<GenreName & { id: number }>(
        "select id, name, slug from genres where id = any ($1::bigint[])",
        [ids],
      );
      return new Map(rows.map(({ id, name, slug }) => [id, { name, slug }]));
    });
  }

  /** Sets the name and slug of each row's genre, in place. Returns a promise only if a genre has to be read. */
  attachGenres<Row extends WithoutGenre<Beat>>(rows: readonly Row[]): (Row & Beat)[] | Promise<(Row & Beat)[]> {
    const version = this.#version.names;
    if (this.#cachedVersion !== version) {
      this.#names.clear();
      this.#cachedVersion = version;
    }
    const beats = rows as (Row & Beat)[];
    const missing = beats.filter((row) => {
      const genre = this.#names.get(row.genre_id);
      if (genre !== undefined) attach(row, genre);
      return genre === undefined;
    });
    return missing.length === 0 ? beats : this.#lookUp(missing, version).then(() => beats);
  }

  async #lookUp(rows: Beat[], version: number): Promise<void> {
    await Promise.all(
      rows.map(async (row) => {
        const genre = await this.#find(row.genre_id);
        if (genre === undefined) throw new Error(`Beat ${row.id} has no genre ${row.genre_id}.`);
        attach(row, genre);
        // A name read before a change must not be cached after it.
        if (version === this.#version.names && version === this.#cachedVersion) this.#names.set(row.genre_id, genre);
      }),
    );
  }
}

function attach(row: Beat, genre: GenreName): void {
  row.genre_name = genre.name;
  row.genre_slug = genre.slug;
}
