import { fileURLToPath } from "node:url";
import { Client, escapeIdentifier, escapeLiteral } from "pg";
import { type Running, start } from "./programs.ts";

/** Keeps the embedded PostgreSQL of a data folder running, and says how it is reached. */
export async function holdDatabase(dataDir: string): Promise<{ url: string } & Pick<Running, "stop">> {
  const tool = fileURLToPath(new URL("../../server/tools/hold-database.main.ts", import.meta.url));
  const { ready, stop } = await start([tool], { DATA_DIR: dataDir }, /^postgres/);
  return { url: ready, stop };
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** One connection for a piece of work. */
export async function withDatabase<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes a database the copy of another, its settings included, which PostgreSQL leaves behind. */
export async function copyDatabase(client: Client, template: string, name: string): Promise<void> {
  await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
  await client.query(
    `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)} strategy file_copy`,
  );
  const { rows } = await client.query<{ role: string | null; setting: string; value: string }>(
    `select rolname as role, split_part(entry, '=', 1) as setting, substr(entry, position('=' in entry) + 1) as value
     from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
     left join pg_roles on pg_roles.oid = setrole, unnest(setconfig) as entry
     where datname = $1`,
    [template],
  );
  const database = `database ${escapeIdentifier(name)}`;
  for (const { role, setting, value } of rows) {
    const whose = role === null ? database : `role ${escapeIdentifier(role)} in ${database}`;
    await client.query(`alter ${whose} set ${escapeIdentifier(setting)} = ${escapeLiteral(value)}`);
  }
}

/**
 * Adds copies of random beats, new but for `at`: a change of the catalogue like any other. `at` is their `created_at`;
 * without it they are of now.
 */
export async function addBeats(client: Client, beats: number, count: number, at?: Date): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = 'beats' and is_generated = 'NEVER' and is_identity = 'NO'
       and column_name not in ('external_id', 'created_at')`,
  );
  const columns = rows[0]?.columns;
  const ids = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * beats));
  await client.query(
    `insert into beats (${columns}, external_id, created_at)
     select ${columns}, 'bench ' || gen_random_uuid(), coalesce($2, date_trunc('second', now()))
     from unnest($1::bigint[]) as chosen (id) join beats using (id)`,
    [ids, at ?? null],
  );
}
