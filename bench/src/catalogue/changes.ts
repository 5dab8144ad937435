import type { Client } from "pg";
import type { Bench } from "../bench.ts";
import { withDatabase } from "../processes/database.ts";

/** The columns of a table that an INSERT may set, as a list for SQL; `except` are left out. */
export async function insertableColumns(
  client: Client,
  table: string,
  except: readonly string[] = [],
): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
     from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and column_name <> all ($2)`,
    [table, except],
  );
  return rows[0]?.columns ?? "";
}

/**
 * Adds copies of `count` random beats. `createdAt` is their `created_at`; without it they are new. Like any change of
 * the catalogue, it invalidates cached responses.
 */
export async function addBeats(client: Client, beats: number, count: number, createdAt?: Date): Promise<void> {
  const columns = await insertableColumns(client, "beats", ["id", "external_id", "created_at"]);
  const ids = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * beats));
  await client.query(
    `insert into beats (${columns}, external_id, created_at)
     select ${columns}, 'bench ' || gen_random_uuid(), coalesce($2, date_trunc('second', now()))
     from unnest($1::bigint[]) as chosen (id) join beats using (id)`,
    [ids, createdAt ?? null],
  );
}

/** Adds a beat, which invalidates every cached list. */
export const invalidateLists = ({ databaseUrl, beats }: Pick<Bench, "databaseUrl" | "beats">): Promise<void> =>
  withDatabase(databaseUrl, (client) => addBeats(client, beats, 1));
