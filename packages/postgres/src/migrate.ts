import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Database, Queryable } from "./connection/connect.ts";
import { type OlderSessions, olderSessions } from "./older-sessions.ts";

/** A program's migrations. */
export interface Migrations {
  /** The folder, with `0001_….sql` and so on. */
  dir: URL;
  /** The program's command, with which the names of its sessions begin. */
  program: string;
}

interface Migration {
  number: number;
  name: string;
  text: string;
  sha256: string;
  /** Programs that do not know the migration of this number cannot live with this one; 0: all can. */
  needs: number;
}

/** The first line of a migration that takes away what earlier releases use. */
const contracting = /^-- contracts: needs (\d{4})$/m;

// A migration that waits for a lock holds up everybody behind it, so it waits briefly, and tries again when others have
// had their turn. Less than PostgreSQL's deadlock_timeout: of two that wait for each other, the migration gives way.
const lockTimeoutMs = 400;
const attempts = 120;
const attemptEveryMs = 500;
const lockNotAvailable = "55P03";
const deadlockDetected = "40P01";

export const isMigration = (name: string): boolean => name.endsWith(".sql");

/** The migrations in a folder, `0001_….sql` and so on, in order. Throws when numbers repeat, leave a gap or refer to later ones. */
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
  /** Those that take something away and wait for older releases to go; `why` is a sentence. Null: none. */
  waiting: { names: string[]; why: string } | null;
}

/**
 * Brings the schema up to date; migrations run in order, each in its own transaction, under a lock that lets one
 * process at a time migrate. Those that take something away (`-- contracts`) come last, and wait while a program is
 * connected that lives on it. Goes on with a database that is newer than this program, unless something was taken away
 * that it uses; refuses one whose applied migrations were edited afterwards. A migration that fails is named in the error.
 * With `only`, the migrations of these numbers, on an empty database.
 */
export async function migrate(
  database: Database,
  { dir, program }: Migrations,
  only?: ReadonlySet<number>,
): Promise<MigrationOutcome> {
  const all = await readMigrations(dir);
  const migrations = only === undefined ? all : all.filter(({ number }) => only.has(number));
  return database.query.connection().execute(async (connection) => {
    // A migration may take its time, and so may another process that the lock waits for.
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

async function migrateOn(
  connection: Queryable,
  program: string,
  migrations: readonly Migration[],
): Promise<MigrationOutcome> {
  const applied = await readApplied(connection);
  requireLivable(applied, migrations);
  const pending = migrations.filter(({ number }) => !applied.some((row) => row.number === number));
  const expanding = pending.filter(({ needs }) => needs === 0);
  const contracting = pending.filter(({ needs }) => needs > 0);
  if (expanding.length > 0) await requireOwner(connection, program, expanding);
  if (applied.length === 0) await createList(connection);
  for (const migration of expanding) await apply(connection, migration);
  const done = expanding.map(({ name }) => name);
  for (const [place, migration] of contracting.entries()) {
    const why = await obstacle(connection, program, migration);
    if (why !== null)
      return { applied: done, waiting: { names: contracting.slice(place).map(({ name }) => name), why } };
    await apply(connection, migration);
    done.push(migration.name);
  }
  return { applied: done, waiting: null };
}

/** Why a migration that takes something away has to wait, as a sentence; null if it need not. */
async function obstacle(connection: Queryable, program: string, { name, needs }: Migration): Promise<string | null> {
  const waits = `Migration ${name}, which takes away what older releases use, waits`;
  const sessions = await olderSessions(connection, program, needs);
  if (sessions.length > 0)
    return `${waits} until none is connected (now ${sessions.map(shownSessions).join(", ")}); the next start or \`npx ${program} migrate\` tries again.`;
  const { role, owns } = await schemaRole(connection);
  return owns
    ? null
    : `${waits} for \`npx ${program} migrate\` with DATABASE_OWNER_URL: the role ${role} may not change the schema.`;
}

const shownSessions = ({ name, count }: OlderSessions): string =>
  `${count} ${count === 1 ? "session" : "sessions"} of ${name}`;

async function readApplied(connection: Queryable): Promise<Applied[]> {
  const { rows: lists } = await sql`
    select from pg_class where relnamespace = 'public'::regnamespace and relname = 'schema_migrations'`.execute(
    connection,
  );
  if (lists.length === 0) return [];
  const { rows } = await sql<Applied>`
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

/** The role that serves may not change the schema. */
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

type Applied = Pick<Migration, "number" | "name" | "sha256" | "needs">;

function requireLivable(applied: readonly Applied[], migrations: readonly Migration[]): void {
  for (const row of applied) {
    const known = migrations[row.number - 1];
    if (known === undefined && row.needs > migrations.length)
      throw new OperatorError(
        `The database has migration ${row.name}, which took away what this version works with: it knows migrations up to number ${migrations.length}, and number ${row.needs} is needed. Run a newer version.`,
      );
    if (known !== undefined && known.sha256 !== row.sha256)
      throw new OperatorError(
        `Migration ${row.name} was applied in another form than the one in this version. Migrations are never edited: restore the file, and add a new one.`,
      );
  }
}

async function apply(connection: Queryable, { number, name, sha256, needs, text }: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // One text, since a migration has any number of statements.
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
      const isInTheWay = code === lockNotAvailable || code === deadlockDetected;
      if (!isInTheWay || attempt === attempts)
        throw new Error(`Migration ${name} failed and changed nothing: ${message}`, { cause });
      await sleep(attemptEveryMs);
    }
  }
}
