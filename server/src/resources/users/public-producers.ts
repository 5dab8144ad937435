import type { Queryable } from "../../database/connect.ts";

/** A producer with the public data. */
export interface PublicProducer {
  id: number;
  username: string;
  display_name: string;
  bio: string | null;
  website: string | null;
  avatar_url: string | null;
  /** Addresses elsewhere, in the producer's order. */
  links: string[];
  beats_count: number;
}

/**
 * The producer with this username, in any case. Undefined for one that does not exist, is suspended, or joined an
 * account. An exact match takes precedence.
 */
export async function findPublicProducer(db: Queryable, username: string): Promise<PublicProducer | undefined> {
  const row = await db
    .selectFrom("users")
    .leftJoin("producer_counts", "producer_counts.user_id", "users.id")
    .select(({ fn, val }) => [
      "users.id",
      "users.username",
      "users.display_name",
      "users.bio",
      "users.website",
      "users.avatar_url",
      "users.links",
      fn.coalesce("producer_counts.beats_count", val(0)).as("beats_count"),
    ])
    .where("users.username", "in", [username, username.toLowerCase()])
    .where("users.is_producer", "=", true)
    .where("users.suspended_at", "is", null)
    .where("users.joined_user_id", "is", null)
    .execute();
  return row.find((each) => each.username === username) ?? row[0];
}

/** The path of the producer's public page. */
export const producerPath = (username: string): string => `/producers/${encodeURIComponent(username)}`;

/** The paths of the public pages of these producers; none for one that has no page. */
export async function findProducerPaths(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "username"])
    .where("id", "in", [...ids])
    .where("is_producer", "=", true)
    .where("suspended_at", "is", null)
    .where("joined_user_id", "is", null)
    .execute();
  return new Map(rows.map(({ id, username }) => [id, producerPath(username)]));
}

/** The usernames of these accounts. */
export async function findUsernames(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("users")
    .select(["id", "username"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}
