import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Database, Queryable } from "./connection/connect.ts";
import { type OlderSessions, olderSessions } from "./older-sessions.ts";

/** A program's migrations. */
export interface Migrations {
  /** The folder of the files `0001_….sql` and so on. */
  dir: URL;
  /** The command of the program, which is the first word of its sessions' names. */
  program: string;
}

interface Migration {
  number: number;
  name: string;
  text: string;
  sha256: string;
  /** The number of the migration that a program must have to work after this one. 0: every program works. */
  needs: number;
}

/** The line that marks a contracting migration, which removes something that earlier releases use. */
const contracting = /^-- contracts: needs (\d{4})$/m;

// A migration that waits for a lock blocks every statement that queues after it. It therefore waits briefly, and tries
// again after a pause. Less than PostgreSQL's deadlock_timeout, so that in a deadlock the migration gives up first.
const lockTimeoutMs = 400;
const attempts = 120;
const attemptEveryMs = 500;
const lockNotAvailable = "55P03";
const deadlockDetected = "40P01";

export const isMigration = (name: string): boolean => name.endsWith(".sql");

/**
 * Reads the migrations of a folder in order. Throws if a number repeats or is missing, or if a migration needs a later
 * one.
 */
export async function readMigrations(dir: URL): Promise<Migration[]> {
  const names = (await readdir(dir)).filter(isMigration).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})_/.exec(name)?.[1]);
      if (number !== index + 1) throw new Error(`Migration ${name}: expected number ${index + 1}.`);
      const text = await readFile(new URL(name, dir), "utf8");
      const needs = Number(contracting.exec(text)?.[1] ?? 0);
      if (needs > number) throw new Error(`Migration ${name} says it needs ${needs}, which comes after it.`);
      return { number, name, text, sha256: createHash("sha256").update(text).digest("hex"), needs };
    }),
  );
}

export interface MigrationOutcome {
  /** The names of the migrations that were applied. */
  applied: string[];
  /** The contracting migrations that could not be applied yet; `why` is a sentence. Null if all were applied. */
  waiting: { names: string[]; why: string } | null;
}

/**
 * Applies pending migrations in order, each in a transaction. A lock lets one process at a time migrate. Contracting
 * migrations (`-- contracts`) run last. They stay pending while a session of an older release is connected, or if the
 * role may not change the schema. Accepts a database that is newer than this program, unless something that the program
 * uses was removed. Throws an OperatorError if an applied migration was edited afterwards, or if a migration that is
 * not contracting is pending and the role may not apply it. The error of a failed migration names it. `only` limits the
 * migrations to these numbers, for an empty database.
 */
export async function migrate(
  database: Database,
  { dir, program }: Migrations,
  only?: ReadonlySet<number>,
): Promise<MigrationOutcome> {
  const allMigrations = await readMigrations(dir);
  const migrations = only === undefined ? allMigrations : allMigrations.filter(({ number }) => only.has(number));
  return database.query.connection().execute(async (connection) => {
    // The migrations have no time limits. The wait for another process that migrates has no time limit, either.
    await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`.execute(
      connection,
    );
    await sql`select pg_advisory_lock(hashtext(${`${program}:migrate`}))`.execute(connection);
    try {
      return await migrateOn(connection, program, migrations);
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${`${program}:migrate`}))`.execute(connection).catch(() => {});
      await sql`reset statement_timeout`.execute(connection).catch(() => {});
      await sql`reset lock_timeout`.execute(connection).catch(() => {});
    }
  });
}

/**
 * The names of the migrations that the database lacks. Changes nothing. Throws an OperatorError if an applied migration
 * was edited, or if something that this program uses was removed.
 */
export async function pendingMigrations({ query }: Database, { dir }: Migrations): Promise<string[]> {
  const migrations = await readMigrations(dir);
  const applied = await readApplied(query);
  requireCompatible(applied, migrations);
  return migrations.filter(({ number }) => !applied.some((row) => row.number === number)).map(({ name }) => name);
}

async function migrateOn(
  connection: Queryable,
  program: string,
  migrations: readonly Migration[],
): Promise<MigrationOutcome> {
  const applied = await readApplied(connection);
  requireCompatible(applied, migrations);
  const pending = migrations.filter(({ number }) => !applied.some((row) => row.number === number));
  const expanding = pending.filter(({ needs }) => needs === 0);
  const contracting = pending.filter(({ needs }) => needs > 0);
  if (expanding.length > 0) await requireOwner(connection, program, expanding);
  if (applied.length === 0) await createList(connection);
  for (const migration of expanding) await apply(connection, migration);
  const appliedNames = expanding.map(({ name }) => name);
  for (const [index, migration] of contracting.entries()) {
    const why = await reasonToWait(connection, program, migration);
    if (why !== null)
      return { applied: appliedNames, waiting: { names: contracting.slice(index).map(({ name }) => name), why } };
    await apply(connection, migration);
    appliedNames.push(migration.name);
  }
  return { applied: appliedNames, waiting: null };
}

/** Why a contracting migration has to wait, as a sentence. Null if it can be applied now. */
async function reasonToWait(
  connection: Queryable,
  program: string,
  { name, needs }: Migration,
): Promise<string | null> {
  const waits = `Migration ${name}, which takes away what older releases use, waits`;
  const sessions = await olderSessions(connection, program, needs);
  if (sessions.length > 0)
    return `${waits} until none is connected (now ${sessions.map(sessionCount).join(", ")}); the next start or \`npx ${program} migrate\` tries again.`;
  const { role, owns } = await schemaRole(connection);
  return owns
    ? null
    : `${waits} for \`npx ${program} migrate\` with DATABASE_OWNER_URL: the role ${role} may not change the schema.`;
}

const sessionCount = ({ name, count }: OlderSessions): string =>
  `${count} ${count === 1 ? "session" : "sessions"} of ${name}`;

async function readApplied(connection: Queryable): Promise<AppliedMigration[]> {
  const { rows: lists } = await sql`
    select from pg_class where relnamespace = 'public'::regnamespace and relname = 'schema_migrations'`.execute(
    connection,
  );
  if (lists.length === 0) return [];
  const { rows } = await sql<AppliedMigration>`
    select number, name, sha256, needs from schema_migrations order by number`.execute(connection);
  return rows;
}

const createList = (connection: Queryable) =>
  sql`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now(),
      needs integer not null default 0
    )`.execute(connection);

/** Throws an OperatorError if the role of the connection may not change the schema. The service role may not. */
async function requireOwner(connection: Queryable, program: string, pending: readonly Migration[]): Promise<void> {
  const { role, owns } = await schemaRole(connection);
  if (owns) return;
  const names = pending.map((migration) => migration.name).join(", ");
  throw new OperatorError(
    `The schema lacks ${names}, and the role ${role} may not change it. Run \`npx ${program} migrate\` with DATABASE_OWNER_URL naming the role that owns the schema.`,
  );
}

async function schemaRole(connection: Queryable): Promise<{ role: string; owns: boolean }> {
  const { rows } = await sql<{ role: string; owns: boolean }>`
    select current_user::text as role, has_schema_privilege('public', 'create') as owns`.execute(connection);
  return rows[0] ?? { role: "", owns: false };
}

type AppliedMigration = Pick<Migration, "number" | "name" | "sha256" | "needs">;

function requireCompatible(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  for (const row of applied) {
    const migration = migrations[row.number - 1];
    if (migration === undefined && row.needs > migrations.length)
      throw new OperatorError(
        `The database has migration ${row.name}, which took away what this version works with: it knows migrations up to number ${migrations.length}, and number ${row.needs} is needed. Run a newer version.`,
      );
    if (migration !== undefined && migration.sha256 !== row.sha256)
      throw new OperatorError(
        `Migration ${row.name} was applied in another form than the one in this version. Migrations are never edited: restore the file, and add a new one.`,
      );
  }
}

async function apply(connection: Queryable, { number, name, sha256, needs, text }: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // One text for all, since a migration has any number of statements.
      await sql
        .raw(
          `begin; set local lock_timeout = ${lockTimeoutMs}; ${text}
           ; insert into schema_migrations (number, name, sha256, needs)
               values (${number}, '${name}', '${sha256}', ${needs});
           commit;`,
        )
        .execute(connection);
      return;
    } catch (cause) {
      await sql`rollback`.execute(connection).catch(() => {});
      const { code, message } = cause as { code?: string; message: string };
      const isLocked = code === lockNotAvailable || code === deadlockDetected;
      if (!isLocked || attempt === attempts)
        throw new Error(`Migration ${name} failed and changed nothing: ${message}`, { cause });
      await sleep(attemptEveryMs);
    }
  }
}
