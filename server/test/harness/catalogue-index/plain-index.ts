import type { BeatEntry } from "@beatmarket/catalogue-index/entry.ts";
import type {
  CatalogueQueries,
  ListQuery,
  ListResult,
  SimilarHit,
  SimilarQuery,
} from "@beatmarket/catalogue-index/query.ts";
import { PlainEngine } from "@beatmarket/catalogue-index/testing/plain-engine.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../src/database/connect.ts";

/** The simplest implementation of the catalogue index: every query reads and checks all rows. */
export class PlainIndex implements Omit<CatalogueQueries, "search"> {
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async list(query: ListQuery): Promise<ListResult> {
    return (await this.#engine()).list(query);
  }

  async similar(query: SimilarQuery): Promise<SimilarHit[]> {
    return (await this.#engine()).similar(query);
  }

  async #engine(): Promise<PlainEngine> {
    const { rows } = await sql<BeatEntry>`
      select id, title, tags, user_id as "producerId", genre_id as "genreId", tempo, key_code as "keyCode",
             price_cents as "priceCents", duration_seconds as "durationSeconds",
             (extract(epoch from created_at) * 1000000)::bigint as "createdAtMicroseconds",
             popularity_key as "popularityKey", available_licenses(exclusive_state, unsold_licenses) as "availableLicenses"
      from beats where is_listed`.execute(this.#db);
    const engine = new PlainEngine();
    engine.apply({ ...noChange, beats: rows });
    return engine;
  }
}

const noChange = { beats: [], goneBeats: [], producers: [], goneProducers: [], genres: [], goneGenres: [] };
