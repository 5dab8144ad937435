import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** A producer without an account, with a full profile. */
export interface NewProducer {
  username: string;
  displayName: string;
  bio: string;
  location: string;
  createdAt: Date;
}

/** Adds producers in the given order; answers the id of each username. */
export async function insertProducers(db: Queryable, producers: readonly NewProducer[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; username: string }>`
    insert into users (username, display_name, bio, location, is_producer, created_at, updated_at)
    select username, display_name, bio, location, true, created_at, created_at
    from unnest(
      ${producers.map(({ username }) => username)}::text[],
      ${producers.map(({ displayName }) => displayName)}::text[],
      ${producers.map(({ bio }) => bio)}::text[],
      ${producers.map(({ location }) => location)}::text[],
      ${producers.map(({ createdAt }) => createdAt.toISOString())}::text[]::timestamptz[]
    ) with ordinality as given (username, display_name, bio, location, created_at, place)
    order by place
    returning id, username`.execute(db);
  return new Map(rows.map(({ id, username }) => [username, id]));
}
