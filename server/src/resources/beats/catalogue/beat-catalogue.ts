import { notFound } from "@beatmarket/foundation/errors.ts";
import { batched } from "@beatmarket/postgres/connection/batched.ts";
import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import type { Database } from "../../../database/connect.ts";
import type { Beat } from "../beat.ts";
import type { SingleBeat } from "../production.ts";
import { isShown } from "../state.ts";
import { readBeats, readSingleBeats, type SingleBeatRow, selectBeats, selectSingleBeats } from "./beat-rows.ts";
import { type GenreName, GenreNames } from "./genre-names.ts";

const listedById = selectBeats("beats where id = any ($1::bigint[]) and is_listed");
const singleById = selectSingleBeats("beats where id = any ($1::bigint[])");

/**
 * Beats by their ids, the most frequent reads: prepared statements on the shared reader connection, and genre names from
 * a cache.
 */
export class BeatCatalogue {
  readonly #database: Pick<Database, "reader">;
  readonly #genres: GenreNames;
  readonly #findRow: (id: number) => Promise<SingleBeatRow | undefined>;

  constructor(database: Pick<Database, "reader">, version: CatalogueVersion) {
    const { reader } = database;
    this.#database = database;
    this.#genres = new GenreNames(reader, version);
    this.#findRow = batched(async (ids) => {
      const rows = await readSingleBeats(reader, singleById, [ids]);
      return new Map(rows.map((row) => [row.id, row]));
    });
  }

  /** The beat, sold or not. Throws notFound, also for a withdrawn one. */
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

  /** The beats of these ids with all details, sold or not, in this order. Unknown and withdrawn ones are omitted. */
  async details(ids: readonly number[]): Promise<SingleBeat[]> {
    const rows = await Promise.all(ids.map((id) => this.#findRow(id)));
    return this.#genres.attachGenres(rows.filter((row) => row !== undefined).filter(isShown));
  }

  /** The listed beats of these ids, in this order. Others are omitted. */
  async listed(ids: readonly number[]): Promise<Beat[]> {
    if (ids.length === 0) return [];
    const rows = await readBeats(this.#database.reader, listedById, [ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return this.#genres.attachGenres(ids.flatMap((id) => byId.get(id) ?? []));
  }

  /** The names of genres, by id. Unknown ids are omitted. */
  async genreNames(ids: readonly number[]): Promise<ReadonlyMap<number, GenreName>> {
    return this.#genres.find(ids);
  }
}
