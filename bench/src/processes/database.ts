import { fileURLToPath } from "node:url";
import { Client, escapeIdentifier, escapeLiteral } from "pg";
import { beatmarket, type RunningProgram, start } from "./programs.ts";

/**
 * Runs the embedded PostgreSQL of a data folder until the caller stops it. "old" creates a database of the previous
 * major version, with the schema.
 */
export async function holdDatabase(
  dataDir: string,
  major: "present" | "old" = "present",
): Promise<{ url: string } & Pick<RunningProgram, "stop">> {
  const name = major === "old" ? "hold-old-database" : "hold-database";
  const tool = fileURLToPath(new URL(`../../../server/tools/load/${name}.main.ts`, import.meta.url));
  const { ready, stop } = await start([tool], { DATA_DIR: dataDir }, /^postgres/);
  return { url: ready, stop };
}

/** Creates the database of a data folder, with the schema, as the first start of a server would. */
export async function makeDatabase(env: { DATA_DIR: string }): Promise<void> {
  const { stop } = await holdDatabase(env.DATA_DIR);
  await beatmarket(["migrate"], env).finally(stop);
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs `work` on a new connection. */
export async function withDatabase<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Copies a database with its settings, which CREATE DATABASE does not copy. */
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
