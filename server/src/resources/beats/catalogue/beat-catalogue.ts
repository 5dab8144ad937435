import { sql } from "kysely";
import type { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import { batched } from "../../../database/connection/batched.ts";
import type { Database } from "../../../database/connection/connect.ts";
import { notFound } from "../../../errors.ts";
import type { Page } from "../../../listing/page.ts";
import { maxSkippedRows, type PageAnchors } from "../../../listing/page-anchors.ts";
import {
  type Anchor,
  type Listing,
  offsetOf,
  pageOf,
  planPage,
  type SeekPlan,
  startOf,
} from "../../../listing/seek.ts";
import { type Beat, type BeatDetail, isShown } from "../beat.ts";
import {
  type BeatDetailRow,
  type BeatRow,
  readBeatDetails,
  readBeats,
  rowColumns,
  selectBeatDetails,
  selectBeats,
} from "./beat-rows.ts";
import { GenreNames } from "./genre-names.ts";

export type BeatSort = "newest" | "popular" | "price_asc" | "price_desc";

export interface BeatFilters {
  genre?: number | undefined;
  producer?: number | undefined;
}

export interface BeatsRequest extends BeatFilters {
  sort: BeatSort;
  page: number;
  limit: number;
  after?: string | undefined;
}

interface Sort extends Pick<Listing, "keyType" | "direction"> {
  key: "created_at" | "popularity_key" | "price_cents";
}

const sorts: Record<BeatSort, Sort> = {
  newest: { key: "created_at", keyType: "timestamptz", direction: "desc" },
  popular: { key: "popularity_key", keyType: "bigint", direction: "desc" },
  price_asc: { key: "price_cents", keyType: "bigint", direction: "asc" },
  price_desc: { key: "price_cents", keyType: "bigint", direction: "desc" },
};

const byId = selectBeats("beats where id = any ($1::bigint[])");
const detailsById = selectBeatDetails("beats where id = any ($1::bigint[])");

/**
 * The two hottest reads, a page of beats and one beat: prepared statements on the shared reader connection, genre names
 * from a cache, and totals from counters instead of `count(*)`.
 */
export class BeatCatalogue {
  readonly #database: Pick<Database, "reader" | "query">;
  readonly #anchors: PageAnchors;
  readonly #genres: GenreNames;
  readonly #findRow: (id: number) => Promise<BeatDetailRow | undefined>;
  readonly #countOfProducer: (id: number) => Promise<number | undefined>;

  constructor(database: Pick<Database, "reader" | "query">, anchors: PageAnchors, version: CatalogueVersion) {
    const { reader } = database;
    this.#database = database;
    this.#anchors = anchors;
    this.#genres = new GenreNames(reader, version);
    this.#findRow = batched(async (ids) => {
      const rows = await readBeatDetails(reader, detailsById, [ids]);
      return new Map(rows.map((row) => [row.id, row]));
    });
    this.#countOfProducer = batched(async (ids) => {
      const rows = await reader.query<{ user_id: number; beats_count: number }>(
        "select user_id, beats_count from producer_counts where user_id = any ($1::bigint[])",
        [ids],
      );
      return new Map(rows.map((row) => [row.user_id, row.beats_count]));
    });
  }

  /** The beat, sold or not; throws notFound, also for a withdrawn one. */
  async beat(id: number): Promise<BeatDetail> {
    const row = await this.#findRow(id);
    if (row === undefined || !isShown(row)) throw notFound(`Beat ${id} does not exist.`);
    await this.#genres.attachGenres([row]);
    return row as BeatDetail;
  }

  /** The beats of these ids, sold or not, by id; unknown ids are left out. */
  async beats(ids: readonly number[]): Promise<Map<number, Beat>> {
    if (ids.length === 0) return new Map();
    const rows = await readBeats(this.#database.reader, byId, [ids]);
    const beats = await this.#genres.attachGenres(rows);
    return new Map(beats.map((beat) => [beat.id, beat]));
  }

  /** One page of the listed beats (docs/api/beats.md, List beats). */
  async page(request: BeatsRequest): Promise<Page<Beat>> {
    const listing = listingOf(request);
    const plan = planPage(listing, request);
    const counting = this.#anchors.total(`beats ${filtersText(request)}`, () => this.#count(request));
    const isNear = plan.seek !== null || request.page === 1;
    const anchor = isNear ? null : await this.#anchors.before(this.#database.query, listing, request, await counting);
    const [total, rows] = await Promise.all([counting, this.#rows(request, plan, anchor)]);
    const beats = await this.#genres.attachGenres(rows);
    const { key } = sorts[request.sort];
    return pageOf(plan, beats, total, (beat) => beat[key]);
  }

  #rows(request: BeatsRequest, plan: SeekPlan, anchor: Anchor | null): Promise<BeatRow[]> {
    const start = startOf(plan.seek, anchor);
    const parameters: unknown[] = [request.limit + 1, offsetOf(request, plan.seek, anchor)];
    if (request.genre !== undefined) parameters.push(request.genre);
    if (request.producer !== undefined) parameters.push(request.producer);
    if (start !== null) parameters.push(start.key, start.id);
    return readBeats(
      this.#database.reader,
      pageText(request, start !== null, plan.seek?.direction === "backward"),
      parameters,
    );
  }

  /** How many listed beats match a filter: the triggers of migrations 0001 and 0015 keep the counters. */
  async #count({ genre, producer }: BeatFilters): Promise<number> {
    if (producer !== undefined && genre === undefined) return (await this.#countOfProducer(producer)) ?? 0;
    const [text, parameters] =
      producer !== undefined
        ? [
            "coalesce(sum(beats_count), 0)::bigint as count from genre_producer_counts where genre_id = $1 and user_id = $2",
            [genre, producer],
          ]
        : genre !== undefined
          ? ["coalesce(sum(beats_count), 0)::bigint as count from genres where id = $1", [genre]]
          : ["coalesce(sum(beats_count), 0)::bigint as count from genres", []];
    const [row] = await this.#database.reader.query<{ count: number }>(`select ${text}`, parameters);
    return row?.count ?? 0;
  }
}

const filtersText = ({ genre, producer }: BeatFilters): string => `${genre ?? ""} ${producer ?? ""}`;

function listingOf(request: BeatsRequest): Listing {
  const { genre, producer, sort } = request;
  const { key, keyType, direction } = sorts[sort];
  return {
    scope: `beats ${sort} ${filtersText(request)}`,
    keyType,
    direction,
    // Getters: only building anchors needs them.
    get source() {
      return sql`from beats where is_listed ${genre === undefined ? sql`` : sql`and genre_id = ${genre}`} ${
        producer === undefined ? sql`` : sql`and user_id = ${producer}`
      }`;
    },
    get key() {
      return sql.ref(key);
    },
    get id() {
      return sql.ref("id");
    },
  };
}

/** More rows than any page reads, skipped ones included. */
const maxRows = maxSkippedRows + 101;

const texts = new Map<string, string>();

/**
 * The statement of a page. Parameters: limit, offset, the filters, then the sort key and id of the row to start after.
 * The inner limit is a constant, since the planner estimates a limit in a parameter as a tenth of the table.
 */
function pageText({ sort, genre, producer }: BeatsRequest, hasStart: boolean, isBackward: boolean): string {
  const name = `${sort} ${genre !== undefined} ${producer !== undefined} ${hasStart} ${isBackward}`;
  let text = texts.get(name);
  if (text === undefined) {
    const { key, keyType, direction } = sorts[sort];
    const isAscending = (direction === "asc") !== isBackward;
    const order = isAscending ? `${key}, id` : `${key} desc, id desc`;
    let parameters = 2;
    const next = () => `$${++parameters}`;
    const ofGenre = genre === undefined ? [] : [`genre_id = ${next()}`];
    const oneProducer = producer === undefined ? undefined : next();
    const conditions = [
      "is_listed",
      ...ofGenre,
      ...(oneProducer === undefined ? [] : [`user_id = ${oneProducer}`]),
      ...(hasStart ? [`(${key}, id) ${isAscending ? ">" : "<"} (${next()}::${keyType}, ${next()})`] : []),
    ];
    text = selectBeats(
      `(
        select * from (
          select ${rowColumns} from beats where ${conditions.join(" and ")} order by ${order} limit ${maxRows}
        ) few order by ${order} limit $1 offset $2
      ) page`,
      oneProducer,
    );
    texts.set(name, text);
  }
  return text;
}
