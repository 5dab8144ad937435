import { sql } from "kysely";
import { CompiledStatements } from "../../database/compiled.ts";
import type { Queryable } from "../../database/connect.ts";
import { notFound } from "../../errors.ts";
import type { Page } from "../../listing/page.ts";
import type { PageAnchors } from "../../listing/page-anchors.ts";
import {
  type Anchor,
  type Listing,
  orderOfPage,
  pageOf,
  pageParameters,
  pageQuery,
  pageVariant,
  planPage,
  type SeekPlan,
} from "../../listing/seek.ts";
import type { Beat, BeatDetail } from "./beat.ts";

const beatColumns = [
  "beats.id",
  "beats.title",
  "beats.user_id",
  "users.display_name as producer_name",
  "beats.genre_id",
  "genres.name as genre_name",
  "genres.slug as genre_slug",
  "beats.price_cents",
  "beats.duration_seconds",
  "beats.tempo",
  "beats.key",
  "beats.audio_url",
  "beats.cover_image",
  "beats.created_at",
  "beats.play_count",
  "beats.download_count",
] as const;

const selectBeats = (db: Queryable) =>
  db
    .selectFrom("beats")
    .innerJoin("users", "users.id", "beats.user_id")
    .innerJoin("genres", "genres.id", "beats.genre_id")
    .select(beatColumns);

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

const sorts: Record<BeatSort, Pick<Listing, "key" | "keyType" | "direction">> = {
  newest: { key: sql.ref("created_at"), keyType: "timestamptz", direction: "desc" },
  popular: { key: sql.ref("popularity_key"), keyType: "bigint", direction: "desc" },
  price_asc: { key: sql.ref("price_cents"), keyType: "bigint", direction: "asc" },
  price_desc: { key: sql.ref("price_cents"), keyType: "bigint", direction: "desc" },
};

/** One page of the listed beats (contract 4.3). */
export async function listBeats(db: Queryable, anchors: PageAnchors, request: BeatsRequest): Promise<Page<Beat>> {
  const { genre, producer, sort } = request;
  const listing: Listing = {
    ...sorts[sort],
    scope: `beats ${sort} ${genre ?? ""} ${producer ?? ""}`,
    source: sql`from beats where is_listed ${genre === undefined ? sql`` : sql`and genre_id = ${genre}`} ${
      producer === undefined ? sql`` : sql`and user_id = ${producer}`
    }`,
    id: sql.ref("id"),
  };
  const plan = planPage(listing, request);
  const counting = anchors.total(listing, () => countBeats(db, request));
  if (plan.seek !== null || request.page === 1) {
    const [total, rows] = await Promise.all([counting, pageRows(db, request, plan, null)]);
    return pageOf(plan, rows, total);
  }
  const total = await counting;
  return pageOf(plan, await pageRows(db, request, plan, await anchors.before(db, listing, request, total)), total);
}

const pages = new CompiledStatements<Beat & { page_key: number | Date }>();

function pageRows(db: Queryable, { genre, producer, sort }: BeatsRequest, plan: SeekPlan, anchor: Anchor | null) {
  const filters = [genre, producer].filter((id) => id !== undefined);
  const name = `${sort} ${genre !== undefined} ${producer !== undefined} ${pageVariant(plan, anchor)}`;
  return pages.rows(db, name, [...filters, ...pageParameters(plan, anchor)], () =>
    selectBeats(db)
      .innerJoin(sql<{ id: number; key: number | Date }>`(${pageQuery(plan, anchor)})`.as("page"), (join) =>
        join.onRef("page.id", "=", "beats.id"),
      )
      .select("page.key as page_key")
      .orderBy(orderOfPage(plan)),
  );
}

/** How many listed beats a filter leaves: kept by the triggers of migration 0001, counted only for two filters. */
async function countBeats(db: Queryable, { genre, producer }: BeatFilters): Promise<number> {
  if (genre !== undefined && producer !== undefined) {
    const { count } = await db
      .selectFrom("beats")
      .select(sql<number>`count(*)`.as("count"))
      .where("is_listed", "=", true)
      .where("genre_id", "=", genre)
      .where("user_id", "=", producer)
      .executeTakeFirstOrThrow();
    return count;
  }
  if (producer !== undefined) {
    const row = await db
      .selectFrom("producer_counts")
      .select("beats_count")
      .where("user_id", "=", producer)
      .executeTakeFirst();
    return row?.beats_count ?? 0;
  }
  const genres = db.selectFrom("genres").select(sql<number>`coalesce(sum(beats_count), 0)::bigint`.as("count"));
  const { count } = await (genre === undefined ? genres : genres.where("id", "=", genre)).executeTakeFirstOrThrow();
  return count;
}

const selectDetails = (db: Queryable) =>
  selectBeats(db)
    .select([
      "beats.description",
      "beats.tags",
      "beats.premium_price_cents",
      "beats.unlimited_price_cents",
      "beats.exclusive_price_cents",
      "beats.is_listed",
      "beats.exclusive_state",
      "beats.updated_at",
    ])
    .$narrowType<Pick<BeatDetail, "exclusive_state">>();

const details = new CompiledStatements<BeatDetail>();

/** The beat, sold or not; throws notFound. */
export async function findBeat(db: Queryable, id: number): Promise<BeatDetail> {
  const [beat] = await details.rows(db, "by id", [id], () => selectDetails(db).where("beats.id", "=", id));
  if (beat === undefined) throw notFound(`Beat ${id} does not exist.`);
  return beat;
}

/** The beats of these ids, by id. Ids nobody has are left out. */
export async function findBeats(db: Queryable, ids: number[]): Promise<Map<number, Beat>> {
  if (ids.length === 0) return new Map();
  const beats = await selectBeats(db).where("beats.id", "=", sql<number>`any(${ids}::bigint[])`).execute();
  return new Map(beats.map((beat) => [beat.id, beat]));
}

/** The same with all details, in the order of the ids. */
export async function findBeatDetails(db: Queryable, ids: number[]): Promise<Map<number, BeatDetail>> {
  if (ids.length === 0) return new Map();
  const beats = await selectDetails(db)
    .where("beats.id", "=", sql<number>`any(${ids}::bigint[])`)
    .orderBy("beats.id")
    .execute();
  return new Map(beats.map((beat) => [beat.id, beat]));
}
