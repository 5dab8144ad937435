import { notFound } from "@beatmarket/foundation/errors.ts";
import { batched } from "@beatmarket/postgres/connection/batched.ts";
import type { Reader } from "@beatmarket/postgres/connection/reader.ts";
import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import type { ReadServer } from "../../../database/connect.ts";
import { type ProducerProfile, producerFinder } from "../../users/queries.ts";
import { type Beat, detailColumns, listColumns, listPriceSql } from "../beat.ts";
import { productionJson, type SingleBeat } from "../production.ts";
import { isShown } from "../state.ts";

/** A beat's row before its genre is attached. */
type WithoutGenre<Row extends Beat> = Omit<Row, "genre_name" | "genre_slug">;

// A statement that reads beats returns one JSON text with an array for each column. The driver would take four times as
// long to read single cells, and PostgreSQL would look up the type of a column again for each cell.

/** A row with the fields of lists. */
export type BeatRow = WithoutGenre<Beat>;
export type SingleBeatRow = WithoutGenre<SingleBeat>;

// A subselect reads the name. With a join, the planner expects 600 rows and would read all users.
const columnsOf = (names: readonly string[], more: readonly string[]): string =>
  [...names, "(select display_name from users where users.id = user_id)", listPriceSql, ...more]
    .map((value) => `json_agg(${value})`)
    .join(", ");

/** The columns of a result, each an array of cells. A column is null if the result has no rows. */
type ReadColumns = readonly (readonly unknown[] | null)[];

/**
 * Returns a function that turns columns into rows. The order of the columns: the columns of `beats`, the producer's
 * name, the list price, and `more`.
 */
function rowsParser<Row>(names: readonly string[], more: readonly string[] = []): (columns: ReadColumns) => Row[] {
  const all = [...names, "producer_name", "list_price_cents", ...more];
  const properties = all.map((name, place) =>
    name.endsWith("_at") ? `${name}: new Date(column${place}[at])` : `${name}: column${place}[at]`,
  );
  // Generated code, since a loop over the names takes twice as long. The names are constants of this program.
  return new Function(
    "columns",
    `const [${all.map((_, place) => `column${place}`).join(", ")}] = columns;
    const rows = [];
    if (column0 !== null)
      for (let at = 0; at < column0.length; at++) rows.push({ ${properties.join(", ")} });
    return rows;`,
  ) as (columns: ReadColumns) => Row[];
}

const parseRows = rowsParser<BeatRow>(listColumns);
const parseSingleRows = rowsParser<SingleBeatRow>(detailColumns, ["production"]);

const select = (names: readonly string[], from: string, more: readonly string[] = []): string =>
  `select json_build_array(${columnsOf(names, more)}) as columns from ${from}`;

/** The statement that reads beats as lists show them. `from` is the table and a condition. */
const selectBeats = (from: string): string => select(listColumns, from);
/** The statement that reads beats with all details and the production. `from` is the table and a condition. */
export const selectSingleBeats = (from: string): string => select(detailColumns, from, [productionJson]);

/** Runs a statement of `selectBeats`. */
const readBeats = async (reader: Reader, text: string, parameters: unknown[]): Promise<BeatRow[]> =>
  parseRows(await readColumns(reader, text, parameters));

/** Runs a statement of `selectSingleBeats`. */
export const readSingleBeats = async (
  reader: Pick<Reader, "query">,
  text: string,
  parameters: unknown[],
): Promise<SingleBeatRow[]> => parseSingleRows(await readColumns(reader, text, parameters));

async function readColumns(reader: Pick<Reader, "query">, text: string, parameters: unknown[]): Promise<ReadColumns> {
  const [result] = await reader.query<{ columns: ReadColumns }>(text, parameters);
  return result?.columns ?? [null];
}

/** The maximum number of pages that share a statement. A page has at most 100 beats, a playlist 200. */
const maxPages = 8;

const listedById = selectBeats("beats where id = any ($1::bigint[]) and is_listed");
const singleById = selectSingleBeats("beats where id = any ($1::bigint[])");

/**
 * Reads beats and producers by their ids. These reads are the most frequent ones, so they use prepared statements on
 * the shared reader connection, and a cache of genre names.
 */
export class BeatCatalogue {
  readonly #genres: GenreNames;
  readonly #findRow: (id: number) => Promise<SingleBeatRow | undefined>;
  /** The rows of the listed beats of a page. */
  readonly #findPage: (ids: readonly number[]) => Promise<BeatRow[] | undefined>;

  /** Returns a producer's profile, without the genres of the producer's beats; undefined for an unknown id. */
  readonly producer: (id: number) => Promise<ProducerProfile | undefined>;

  constructor(server: ReadServer, version: CatalogueVersion) {
    const { reader } = server;
    this.producer = producerFinder(server);
    this.#genres = new GenreNames(reader, version);
    this.#findRow = batched(async (ids) => {
      const rows = await readSingleBeats(reader, singleById, [ids]);
      return new Map(rows.map((row) => [row.id, row]));
    });
    this.#findPage = batched(async (pages: readonly (readonly number[])[]) => {
      const rows = await readBeats(reader, listedById, [pages.flat()]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return new Map(pages.map((ids) => [ids, ids.flatMap((id) => byId.get(id) ?? [])]));
    }, maxPages);
  }

  /** The beat, sold or not. Throws notFound for an unknown or withdrawn beat. */
  async beat(id: number): Promise<SingleBeat> {
    const [beat] = await this.details([id]);
    if (beat === undefined) throw notFound(`Beat ${id} does not exist.`);
    return beat;
  }

  /** The beat in any state, drafts included; undefined for an unknown one. */
  async find(id: number): Promise<SingleBeat | undefined> {
    const row = await this.#findRow(id);
    return row === undefined ? undefined : (await this.#genres.attachGenres([row]))[0];
  }

  /**
   * The beats of these ids with all details, sold or not, in the order of the ids. Unknown and withdrawn beats are
   * omitted.
   */
  async details(ids: readonly number[]): Promise<SingleBeat[]> {
    const rows = await Promise.all(ids.map((id) => this.#findRow(id)));
    return this.#genres.attachGenres(rows.filter((row) => row !== undefined).filter(isShown));
  }

  /** The listed beats of these ids, in the order of the ids. Others are omitted. */
  async listed(ids: readonly number[]): Promise<Beat[]> {
    if (ids.length === 0) return [];
    return this.#genres.attachGenres((await this.#findPage(ids)) ?? []);
  }

  /** Names of genres by id: of these genres, as far as they exist, and possibly of others. */
  async genreNames(ids: readonly number[]): Promise<ReadonlyMap<number, GenreName>> {
    return this.#genres.find(ids);
  }
}

export interface GenreName {
  name: string;
  slug: string;
}

/**
 * Caches the names of genres until one of them changes: genres are few, and every beat needs one. Names of producers
 * are not cached, since there may be as many producers as beats.
 */
class GenreNames {
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

  /**
   * Names of genres by id: of these genres, as far as they exist, and possibly of others. Returns a promise only if a
   * name has to be read.
   */
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
    return names instanceof Promise ? names.then((loaded) => attach(rows, loaded)) : attach(rows, names);
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
