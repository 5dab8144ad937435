import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { connect, type Queryable } from "../../connection/connect.ts";
import { Connection } from "../../connection/connection.ts";
import { connectionConfig } from "../../connection/settings.ts";
import { type Migrations, migrate } from "../../migrate.ts";
import { addressOf } from "../admission.ts";
import { superuser } from "../postgres/initdb.ts";
import type { Postmaster } from "../postgres/postmaster.ts";
import { ownerRole, serviceRole } from "../roles.ts";
import { copyGrants, requireSameRolesAndSettings } from "./roles-and-settings.ts";
import { copySequences, copyTable, type Ends, requireSameRows } from "./rows.ts";
import { readMigrationNumbers, readSchema, readTables } from "./schema.ts";

export interface CopyProgress {
  /** Of `total`: each row counts when it is copied, and again when it is checked. */
  done: number;
  total: number;
  doing: string;
}

export interface CopyOptions {
  schema: {
    migrations: Migrations;
    /** The number of the last migration. */
    known: number;
    /** Lets the role that serves read and write what the migrations made. */
    grant(owner: Queryable, role: string): Promise<void>;
  };
  signal: AbortSignal;
  onProgress: (progress: CopyProgress) => void;
}

export interface Copied {
  tables: number;
  rows: number;
  sequences: number;
}

/** Connects to both servers as superuser, with the settings that give values one form. */
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
 * Copies the database into that of a new cluster: the schema by the migrations that the old one has, then rows and
 * sequences as one snapshot has them; and checks the copy. Only reads the old one. Throws an OperatorError that names
 * what cannot be copied, or differs.
 */
export async function copyDatabase(ends: Ends, server: Postmaster, options: CopyOptions): Promise<Copied> {
  const { old, fresh } = ends;
  await requireCopyable(old, options.schema.known);
  await makeSchema(old, server, options.schema);
  await requireSameSchema(ends);
  await old.query("begin isolation level repeatable read, read only");
  const tables = await readTables(old);
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    options.signal.throwIfAborted();
    counts.set(name, (await old.query(`select count(*) as rows from ${name}`)).rows[0].rows);
  }
  const total = [...counts.values()].reduce((sum, rows) => sum + 2 * rows, 0);
  let done = 0;
  const progress = (rows: number, doing: string): void => {
    done += rows;
    options.onProgress({ done, total, doing });
  };

  // Neither triggers nor foreign keys: the rows are those that both have let in. Nothing is lost with a commit here.
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

/** Refuses what the copy would leave behind. */
async function requireCopyable(old: Connection, known: number): Promise<void> {
  const { rows } = await old.query(
    "select datname from pg_database where datname not in ('postgres', 'template0', 'template1') and datname <> current_database() order by 1",
  );
  if (rows.length > 0)
    throw new OperatorError(
      `The cluster has databases that are not the service's: ${rows.map(({ datname }: { datname: string }) => datname).join(", ")}. Move them elsewhere, with the release before, then upgrade again.`,
    );
  const numbers = await readMigrationNumbers(old);
  const unknown = [...numbers].filter((number) => number > known);
  if (unknown.length > 0)
    throw new OperatorError(
      `The database has migration ${Math.max(...unknown)}, and this program knows them up to ${known}. Upgrade with the release that last served it, or a later one.`,
    );
}

async function makeSchema(
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
  const [was, is] = await Promise.all([readSchema(old), readSchema(fresh)]);
  const extra = was.filter((line) => !is.includes(line));
  const lacking = is.filter((line) => !was.includes(line));
  if (extra.length > 0)
    throw new OperatorError(
      `The database has what no migration made: ${extra.join("; ")}. Drop it, with the release before, upgrade, and make it again.`,
    );
  if (lacking.length > 0)
    throw new OperatorError(
      `The database lacks what its migrations made: ${lacking.join("; ")}. Make it again, with the release before, then upgrade.`,
    );
}
