import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { type Listing, orderOfPage, pageOf, pageQuery, planPage } from "@beatmarket/http/listing/seek.ts";
import { batched } from "@beatmarket/postgres/connection/batched.ts";
import { sql } from "kysely";
import type { Queryable, ReadServer } from "../../database/connect.ts";

const selectProfiles = (db: Queryable) =>
  db
    .selectFrom("users")
    .leftJoin("producer_counts", "producer_counts.user_id", "users.id")
    .select([
      "users.id",
      "users.username",
      "users.display_name",
      "users.bio",
      "users.location",
      "users.website",
      "users.avatar_url",
      "users.is_producer",
      "users.created_at",
      sql<number>`coalesce(producer_counts.beats_count, 0)`.as("beats_count"),
    ]);

/** Returns the profile of a user. Throws notFound for an unknown id. */
export async function findProfile(db: Queryable, id: number): Promise<Profile> {
  const profile = await selectProfiles(db).where("users.id", "=", id).executeTakeFirst();
  if (profile === undefined) throw notFound(`User ${id} does not exist.`);
  return profile;
}

// The genres of one producer's listed beats, most used first.
const genresOfProducer = sql<Producer["genres"]>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'slug', g.slug) order by used.beats desc, g.name), '[]')
  from (select genre_id, count(*) as beats from beats where is_listed and user_id = users.id group by genre_id) used
  join genres g on g.id = used.genre_id
)`;

const playCount = sql<number>`coalesce(producer_counts.play_count, 0)`.as("play_count");

const selectProducers = (db: Queryable) => selectProfiles(db).select([playCount, genresOfProducer.as("genres")]);

export type ProducerSort = "popular" | "newest" | "name";

export interface ProducersRequest {
  sort: ProducerSort;
  page: number;
  limit: number;
  after?: string | undefined;
}

// Each sort order reads from the table that has its index. The conditions select only producers.
const sorts: Record<ProducerSort, Omit<Listing, "scope">> = {
  popular: {
    source: sql`from producer_counts where true`,
    key: sql.ref("popularity_key"),
    keyType: "bigint",
    id: sql.ref("user_id"),
    direction: "desc",
  },
  newest: {
    source: sql`from users where is_producer`,
    key: sql.ref("created_at"),
    keyType: "timestamptz",
    id: sql.ref("id"),
    direction: "desc",
  },
  name: {
    source: sql`from users where is_producer`,
    key: sql`lower(display_name)`,
    keyType: "text",
    id: sql.ref("id"),
    direction: "asc",
  },
};

/** Returns one page of the producers. */
export async function listProducers(db: Queryable, request: ProducersRequest): Promise<Page<Producer>> {
  const listing: Listing = { ...sorts[request.sort], scope: `producers ${request.sort}` };
  const plan = planPage(listing, request);
  const total = await countProducers(db);
  const rows = await selectProducers(db)
    .innerJoin(sql<{ id: number; key: number | string | Date }>`(${pageQuery(plan, total)})`.as("page"), (join) =>
      join.onRef("page.id", "=", "users.id"),
    )
    .select("page.key as page_key")
    .orderBy(orderOfPage(plan))
    .execute();
  return pageOf(plan, rows, total, (row) => row.page_key);
}

async function countProducers(db: Queryable): Promise<number> {
  const { count } = await db
    .selectFrom("users")
    .select(sql<number>`count(*)`.as("count"))
    .where("is_producer", "=", true)
    .executeTakeFirstOrThrow();
  return count;
}

const producersById = (db: Queryable, ids: readonly number[]) =>
  selectProfiles(db).select(playCount).where("users.id", "=", sql<number>`any(${ids}::bigint[])`);

/** Returns the producers with these ids, by id, without their genres. Unknown ids are absent. */
export async function findProducers(db: Queryable, ids: number[]): Promise<Map<number, ProducerProfile>> {
  if (ids.length === 0) return new Map();
  const producers = await producersById(db, ids).execute();
  return new Map(producers.map((producer) => [producer.id, producer]));
}

/**
 * Returns a look-up of producers by id, without their genres; undefined for an unknown id. Look-ups of
 * several requests share a statement on the reader connection.
 */
export function producerFinder({ query, reader }: ReadServer): (id: number) => Promise<ProducerProfile | undefined> {
  const { sql: text } = producersById(query, []).compile();
  return batched(async (ids) => {
    const producers = await reader.query<ProducerProfile>(text, [ids]);
    return new Map(producers.map((producer) => [producer.id, producer]));
  });
}

/** The public data of a user. It never contains the e-mail address. */
export interface Profile {
  id: number;
  username: string;
  display_name: string;
  bio: string | null;
  location: string | null;
  website: string | null;
  avatar_url: string | null;
  is_producer: boolean;
  /** The number of listed beats. */
  beats_count: number;
  created_at: Date;
}

/** A producer: the profile, the genres of the beats and the number of plays. */
export interface Producer extends Profile {
  /** The genres of the listed beats, most used first. */
  genres: { id: number; name: string; slug: string }[];
  /** The plays of all listed beats. */
  play_count: number;
}

export type ProducerProfile = Omit<Producer, "genres">;

const maxLength = 40;

/**
 * Returns a slug of the display name, with which the username starts. Returns `fallback` if the name has no ASCII
 * letter or digit.
 */
export const usernameSlug = (displayName: string, fallback: string): string =>
  displayName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replace(/^-|-$/g, "") || fallback;
