import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { searchVector } from "../../search-words.ts";

/** A producer without an account. */
export interface NewProducer {
  username: string;
  displayName: string;
  bio: string;
  location: string;
  createdAt: Date;
}

/** Adds producers; answers the id of each username. */
export async function insertProducers(db: Queryable, producers: readonly NewProducer[]): Promise<Map<string, number>> {
  const rows = await db
    .insertInto("users")
    .values(
      producers.map(({ username, displayName, bio, location, createdAt }) => ({
        username,
        display_name: displayName,
        bio,
        location,
        is_producer: true,
        created_at: createdAt,
        updated_at: createdAt,
        search: sql<string>`${searchVector([{ text: displayName, weight: "A" }])}::tsvector`,
      })),
    )
    .returning(["id", "username"])
    .execute();
  return new Map(rows.map(({ id, username }) => [username, id]));
}
