import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { batched } from "../../../database/connection/batched.ts";
import type { Reader } from "../../../database/connection/reader.ts";
import type { Beat } from "../beat.ts";

/** A beat's row without the name of its genre. */
export type Genreless<Row extends Beat> = Omit<Row, "genre_name" | "genre_slug">;

interface GenreName {
  name: string;
  slug: string;
}

/**
 * The names of genres that beats are shown with, remembered until one of them changes: there are few, and every beat
 * needs one. Of producers there may be as many as beats, so their names are read with the beats.
 */
export class GenreNames {
  readonly #version: CatalogueVersion;
  readonly #names = new Map<number, GenreName>();
  readonly #find: (id: number) => Promise<GenreName | undefined>;
  #rememberedUnder: number;

  constructor(reader: Reader, version: CatalogueVersion) {
    this.#version = version;
    this.#rememberedUnder = version.names;
    this.#find = batched(async (ids) => {
      const rows = await reader.query<GenreName & { id: number }>(
        "select id, name, slug from genres where id = any ($1::bigint[])",
        [ids],
      );
      return new Map(rows.map(({ id, name, slug }) => [id, { name, slug }]));
    });
  }

  /** Gives each row its genre's name, in place; at once when all are remembered. */
  complete<Row extends Genreless<Beat>>(rows: readonly Row[]): (Row & Beat)[] | Promise<(Row & Beat)[]> {
    const version = this.#version.names;
    if (this.#rememberedUnder !== version) {
      this.#names.clear();
      this.#rememberedUnder = version;
    }
    const named = rows as (Row & Beat)[];
    const missing = named.filter((row) => {
      const genre = this.#names.get(row.genre_id);
      if (genre !== undefined) name(row, genre);
      return genre === undefined;
    });
    return missing.length === 0 ? named : this.#lookUp(missing, version).then(() => named);
  }

  async #lookUp(rows: Beat[], version: number): Promise<void> {
    await Promise.all(
      rows.map(async (row) => {
        const genre = await this.#find(row.genre_id);
        if (genre === undefined) throw new Error(`Beat ${row.id} has no genre ${row.genre_id}.`);
        name(row, genre);
        // What was read before a change must not be kept behind it.
        if (version === this.#version.names && version === this.#rememberedUnder) this.#names.set(row.genre_id, genre);
      }),
    );
  }
}

function name(row: Beat, genre: GenreName): void {
  row.genre_name = genre.name;
  row.genre_slug = genre.slug;
}
