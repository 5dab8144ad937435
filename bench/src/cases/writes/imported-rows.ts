import { type Client, escapeIdentifier } from "pg";
import { insertableColumns } from "../../catalogue/changes.ts";

/**
 * Tables whose rows an import writes itself, in the order of their foreign keys. Triggers write the rows of the
 * counters.
 */
const importedTables = ["users", "genres", "beats"] as const;

/** Names of the tables with rows. Before an import, these are the tables that the migrations filled. */
export async function tablesWithRows(client: Client): Promise<string[]> {
  const filledTables: string[] = [];
  for (const name of await tables(client)) {
    const { rows } = await client.query(`select from ${escapeIdentifier(name)} limit 1`);
    if (rows.length > 0) filledTables.push(name);
  }
  return filledTables;
}

/** Copies the imported rows into new tables without indexes. */
export async function copyImportedRows(client: Client): Promise<void> {
  for (const table of importedTables) {
    await client.query(`drop table if exists imported_${table}`);
    await client.query(`create table imported_${table} as table ${table}`);
  }
  // The triggers count the rows again during the insert.
  await client.query("update imported_genres set beats_count = 0");
}

/** Empties all tables but those in `except` and the copies of the imported rows. */
export async function emptyTables(client: Client, except: readonly string[]): Promise<void> {
  const names = (await tables(client)).filter((name) => !except.includes(name) && !name.startsWith("imported_"));
  await client.query(`truncate ${names.map(escapeIdentifier).join(", ")}`);
  await client.query("checkpoint");
}

/** Inserts the copied beats with their producers and genres. Returns the seconds that the beats took. */
export async function insertImportedRows(client: Client): Promise<number> {
  let seconds = 0;
  for (const table of importedTables) {
    const columns = await insertableColumns(client, table);
    const startedMs = performance.now();
    await client.query(
      `insert into ${table} (${columns}) overriding system value select ${columns} from imported_${table} order by id`,
    );
    seconds = (performance.now() - startedMs) / 1_000;
  }
  return seconds;
}

async function tables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  return rows.map(({ name }) => name);
}
