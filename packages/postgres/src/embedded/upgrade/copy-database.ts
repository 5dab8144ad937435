import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { connect, type Queryable } from "../../connection/connect.ts";
import { Connection } from "../../connection/connection.ts";
import { connectionConfig } from "../../connection/settings.ts";
import { type Migrations, migrate } from "../../migrate.ts";
import { superuser } from "../postgres/initdb.ts";
import type { Postmaster } from "../postgres/postmaster.ts";
import { addressOf } from "../readiness.ts";
import { ownerRole, serviceRole } from "../roles.ts";
import { copyGrants, requireSameRolesAndSettings } from "./roles-and-settings.ts";
import { copySequences, copyTable, type Ends, requireSameRows } from "./rows.ts";
import { readMigrationNumbers, readSchema, readTables } from "./schema.ts";

export interface CopyProgress {
  /** Each row counts twice: when it is copied and when it is checked. */
  done: number;
  total: number;
  /** The current step, such as "copying orders". */
  doing: string;
}

export interface CopyOptions {
  schema: {
    migrations: Migrations;
    /** The number of the last migration. */
    lastMigration: number;
    /** Grants the service role access to the tables. */
    grant(owner: Queryable, role: string): Promise<void>;
  };
  signal: AbortSignal;
  onProgress: (progress: CopyProgress) => void;
}

export interface CopyResult {
  tables: number;
  rows: number;
  sequences: number;
}

/** Connects to both servers as superuser, with settings that make both format values in the same way. */
export async function withEnds<Result>(
  servers: { old: Postmaster; fresh: Postmaster },
  use: (ends: Ends) => Promise<Result>,
): Promise<Result> {
  const [old, fresh] = [servers.old, servers.fresh].map(
    (server) => new Connection(connectionConfig(addressOf(server, superuser), { applicationName: "embedded upgrade" })),
  ) as [Connection, Connection];
  try {
    for (const end of [old, fresh]) {
      await end.connect();
      await end.query(
        "set search_path to public; set datestyle to iso; set intervalstyle to postgres; set extra_float_digits to 1; set bytea_output to hex",
      );
    }
    return await use({ old, fresh });
  } finally {
    await Promise.all([old, fresh].map((end) => end.end().catch(() => {})));
  }
}

/**
 * Copies the database into a new cluster and checks the copy. Creates the schema by running the same migrations, then
 * copies rows and sequences from one snapshot. Only reads the old database. Throws an OperatorError that names the
 * objects that cannot be copied, or that differ.
 */
export async function copyDatabase(ends: Ends, server: Postmaster, options: CopyOptions): Promise<CopyResult> {
  const { old, fresh } = ends;
  await requireCopyable(old, options.schema.lastMigration);
  await createSchema(old, server, options.schema);
  await requireSameSchema(ends);
  await old.query("begin isolation level repeatable read, read only");
  const tables = await readTables(old);
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    options.signal.throwIfAborted();
    counts.set(name, (await old.query(`select count(*) as rows from ${name}`)).rows[0].rows);
  }
  const total = [...counts.values()].reduce((sum, rows) => sum + 2 * rows, 0);
  let copiedRows = 0;
  const progress = (rows: number, doing: string): void => {
    copiedRows += rows;
    options.onProgress({ done: copiedRows, total, doing });
  };

  // No triggers and foreign keys: they already accepted these rows in the old database. No synchronous commits: after a
  // crash the copy starts again anyway.
  await fresh.query("set session_replication_role to replica; set synchronous_commit to off");
  if (tables.length > 0) await fresh.query(`truncate ${tables.map(({ name }) => name).join(", ")}`);
  for (const table of tables) {
    await copyTable(ends, table, { signal: options.signal, onRows: (rows) => progress(rows, `copying ${table.name}`) });
  }
  const sequences = await copySequences(ends);
  await copyGrants(ends);
  for (const table of tables) {
    options.signal.throwIfAborted();
    progress(0, `checking ${table.name}`);
    const rows = await requireSameRows(ends, table);
    progress(rows, `checking ${table.name}`);
  }
  await requireSameRolesAndSettings(ends);
  await old.query("commit");
  options.signal.throwIfAborted();
  progress(0, "gathering statistics");
  await fresh.query("vacuum (analyze)");
  return { tables: tables.length, rows: total / 2, sequences };
}

/** Throws an OperatorError if the server has other databases, or if a later release has migrated the database. */
async function requireCopyable(old: Connection, lastMigration: number): Promise<void> {
  const { rows } = await old.query(
    "select datname from pg_database where datname not in ('postgres', 'template0', 'template1') and datname <> current_database() order by 1",
  );
  if (rows.length > 0)
    throw new OperatorError(
      `The cluster has databases that are not the service's: ${rows.map(({ datname }: { datname: string }) => datname).join(", ")}. Start the previous release, move them elsewhere, and then upgrade again.`,
    );
  const numbers = await readMigrationNumbers(old);
  const unknown = [...numbers].filter((number) => number > lastMigration);
  if (unknown.length > 0)
    throw new OperatorError(
      `The database has migration ${Math.max(...unknown)}, but this program knows no migration after ${lastMigration}. Upgrade with the release that last served it, or a later one.`,
    );
}

async function createSchema(
  old: Connection,
  server: Postmaster,
  { migrations, grant }: CopyOptions["schema"],
): Promise<void> {
  const owner = connect(addressOf(server, ownerRole), { max: 1, applicationName: "embedded upgrade" });
  try {
    const numbers = await readMigrationNumbers(old);
    if (numbers.size === 0) return;
    await migrate(owner, migrations, numbers);
    await grant(owner.query, serviceRole);
  } finally {
    await owner.close();
  }
}

async function requireSameSchema({ old, fresh }: Ends): Promise<void> {
  const [oldSchema, newSchema] = await Promise.all([readSchema(old), readSchema(fresh)]);
  const extra = oldSchema.filter((line) => !newSchema.includes(line));
  const missing = newSchema.filter((line) => !oldSchema.includes(line));
  if (extra.length > 0)
    throw new OperatorError(
      `The database has objects that no migration made: ${extra.join("; ")}. Start the previous release, drop them, upgrade, and create them again.`,
    );
  if (missing.length > 0)
    throw new OperatorError(
      `The database lacks objects that its migrations made: ${missing.join("; ")}. Start the previous release, create them again, and then upgrade.`,
    );
}
