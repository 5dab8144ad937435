import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { emptyDatabaseUrl, openTestDatabase } from "../../test/harness/database/database.ts";
import type { TestDatabase } from "../../test/harness/database/driver.ts";
import { OperatorError } from "../errors.ts";
import { migrate, readMigrations } from "./migrate.ts";

const first = { "0001_shelves.sql": "create table shelves (id integer)" };
const second = { "0002_books.sql": "create table books (id integer); insert into books values (1); -- a last remark" };

test("a migration is applied once, in order, with its name on record", async () => {
  const database = await emptyDatabase();
  const migrations = await folder({ ...first, ...second });
  expect(await migrate(database, migrations)).toEqual(["0001_shelves.sql", "0002_books.sql"]);
  expect(await migrate(database, migrations)).toEqual([]);
  expect(await tables(database)).toEqual(["books", "schema_migrations", "shelves"]);
  expect(await applied(database)).toEqual(["0001_shelves.sql", "0002_books.sql"]);
});

test("a database that is behind gets only what it lacks", async () => {
  const database = await emptyDatabase();
  await migrate(database, await folder(first));
  expect(await migrate(database, await folder({ ...first, ...second }))).toEqual(["0002_books.sql"]);
});

test("processes that start together migrate once between them", async () => {
  const url = await emptyDatabaseUrl();
  const pools = Array.from({ length: 5 }, () => openTestDatabase(url));
  const all = (await readMigrations()).map(({ name }) => name);
  const results = await Promise.all(pools.map((pool) => migrate(pool)));
  expect(results.filter((names) => names.length > 0)).toEqual([all]);
  expect(await applied(openTestDatabase(url))).toEqual(all);
});

test("a migration edited after it was applied is refused by name", async () => {
  const database = await emptyDatabase();
  await migrate(database, await folder(first));
  const edited = await folder({ "0001_shelves.sql": "create table shelves (id bigint)", ...second });
  const refusal = migrate(database, edited);
  await expect(refusal).rejects.toThrow(OperatorError);
  await expect(refusal).rejects.toThrow("0001_shelves.sql was applied in another form");
  expect(await tables(database)).not.toContain("books");
});

test("a database that a newer program only added to is taken", async () => {
  const database = await emptyDatabase();
  await migrate(database, await folder({ ...first, ...second }));
  expect(await migrate(database, await folder(first))).toEqual([]);
  expect(await applied(database)).toEqual(["0001_shelves.sql", "0002_books.sql"]);
});

test("a database that a newer program took something from is refused where that was used, and taken where not", async () => {
  const database = await emptyDatabase();
  const third = { "0003_no_shelves.sql": "-- contracts: needs 0002\ndrop table shelves" };
  await migrate(database, await folder({ ...first, ...second, ...third }));
  expect(await migrate(database, await folder({ ...first, ...second }))).toEqual([]);
  const refusal = migrate(database, await folder(first));
  await expect(refusal).rejects.toThrow(OperatorError);
  await expect(refusal).rejects.toThrow(
    "The database has migration 0003_no_shelves.sql, which took away what this version works with: it knows migrations up to number 1, and number 2 is needed.",
  );
});

test("a migration waits for no lock so long that others wait behind it, and goes on when it is free", async () => {
  const database = await emptyDatabase();
  await migrate(database, await folder(first));
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holder = database.driver.begin(async (sql) => {
    await sql`select from shelves`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const altering = migrate(
    database,
    await folder({ ...first, "0002_wider.sql": "alter table shelves add width integer" }),
  );
  const waitsForLock = async (): Promise<number> => {
    const [row] = await database.driver`
      select count(*)::int as count from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`;
    return row?.count;
  };
  await expect.poll(waitsForLock, { timeout: 10_000 }).toBe(1);
  await expect.poll(waitsForLock, { timeout: 10_000 }).toBe(0);
  expect(await applied(database)).toEqual(["0001_shelves.sql"]);
  expect(await database.driver`select from shelves`).toEqual([]);
  release.resolve();
  await holder;
  expect(await altering).toEqual(["0002_wider.sql"]);
});

test("a failing migration is named, leaves nothing of itself, and can be tried again", async () => {
  const database = await emptyDatabase();
  const failing = { "0002_books.sql": "create table books (id integer); insert into nowhere values (1)" };
  await expect(migrate(database, await folder({ ...first, ...failing }))).rejects.toThrow(
    'Migration 0002_books.sql failed and changed nothing: relation "nowhere" does not exist',
  );
  expect(await tables(database)).toEqual(["schema_migrations", "shelves"]);
  expect(await applied(database)).toEqual(["0001_shelves.sql"]);
  expect(await migrate(database, await folder({ ...first, ...second }))).toEqual(["0002_books.sql"]);
});

test("a migration that needs a later one is refused", async () => {
  const early = { "0001_shelves.sql": "-- contracts: needs 0002\ncreate table shelves (id integer)" };
  await expect(readMigrations(await folder(early))).rejects.toThrow(
    "0001_shelves.sql says it needs 2, which comes after",
  );
});

test("migrations whose numbers leave a gap or repeat are refused", async () => {
  await expect(readMigrations(await folder({ ...first, "0003_late.sql": "" }))).rejects.toThrow(
    "Migration 0003_late.sql: expected number 2.",
  );
  await expect(readMigrations(await folder({ ...first, "0001_twin.sql": "" }))).rejects.toThrow(
    "Migration 0001_twin.sql: expected number 2.",
  );
});

async function folder(files: Record<string, string>): Promise<URL> {
  const path = await mkdtemp(join(tmpdir(), "migrations-"));
  onTestFinished(() => rm(path, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(path, name), sql);
  return pathToFileURL(`${path}/`);
}

const emptyDatabase = async (): Promise<TestDatabase> => openTestDatabase(await emptyDatabaseUrl());

async function tables({ driver }: TestDatabase): Promise<string[]> {
  const rows = await driver<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`;
  return rows.map(({ name }) => name);
}

async function applied({ driver }: TestDatabase): Promise<string[]> {
  const rows = await driver<{ name: string }[]>`select name from schema_migrations order by number`;
  return rows.map(({ name }) => name);
}
