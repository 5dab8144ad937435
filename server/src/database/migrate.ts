import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { OperatorError } from "../errors.ts";
import type { Database } from "./connect.ts";

const migrationsDir = new URL("../../../database/migrations/", import.meta.url);

interface Migration {
  number: number;
  name: string;
  sql: string;
  sha256: string;
}

/** The migrations in `database/migrations`, in order. Throws when numbers repeat or leave a gap. */
export async function readMigrations(dir: URL = migrationsDir): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})_/.exec(name)?.[1]);
      if (number !== index + 1) throw new Error(`Migration ${name}: expected number ${index + 1}.`);
      const sql = await readFile(new URL(name, dir), "utf8");
      return { number, name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Brings the schema up to date; migrations run in order, each in its own transaction, under a lock that lets one
 * process at a time migrate. Returns the names of those applied. Refuses a database that is newer than this
 * program, and one whose applied migrations were edited afterwards. A migration that fails is named in the error.
 */
export async function migrate(database: Database, dir: URL = migrationsDir): Promise<string[]> {
  const migrations = await readMigrations(dir);
  const connection = await database.driver.reserve();
  try {
    // A migration may take its time, and so may another process that the lock waits for.
    await connection`set statement_timeout to 0`;
    await connection`select pg_advisory_lock(hashtext('beatmarket:migrate'))`;
    await connection`
      create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`;
    const applied = await connection<{ number: number; name: string; sha256: string }[]>`
      select number, name, sha256 from schema_migrations order by number`;
    for (const row of applied) {
      const known = migrations[row.number - 1];
      if (known === undefined)
        throw new OperatorError(
          `The database has migration ${row.name}, which this version does not know. Run a version at least as new as the one that made it.`,
        );
      if (known.sha256 !== row.sha256)
        throw new OperatorError(
          `Migration ${row.name} was applied in another form than the one in this version. Migrations are never edited: restore the file, and add a new one.`,
        );
    }
    const pending = migrations.slice(applied.length);
    for (const migration of pending) {
      await connection
        .unsafe(
          `begin; ${migration.sql}
           ; insert into schema_migrations (number, name, sha256)
               values (${migration.number}, '${migration.name}', '${migration.sha256}');
           commit;`,
        )
        .catch((cause: Error) => {
          throw new Error(`Migration ${migration.name} failed and changed nothing: ${cause.message}`, { cause });
        });
    }
    return pending.map((migration) => migration.name);
  } catch (error) {
    await connection`rollback`.catch(() => {});
    throw error;
  } finally {
    await connection`select pg_advisory_unlock(hashtext('beatmarket:migrate'))`.catch(() => {});
    await connection`reset statement_timeout`.catch(() => {});
    connection.release();
  }
}
