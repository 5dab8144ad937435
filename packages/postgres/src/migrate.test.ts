import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { expect, onTestFinished, test } from "vitest";
import { connectForTest, type TestDatabase } from "../testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "../testing/test-database.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { olderSessions } from "./older-sessions.ts";
import { sessionName } from "./session-names.ts";

const first = { "0001_shelves.sql": "create table shelves (id integer)" };
const second = { "0002_books.sql": "create table books (id integer); insert into books values (1); -- a last remark" };

test("migrations are applied once, in order, and recorded by name", async () => {
  const database = await emptyDatabase();
  const twoMigrations = await folder({ ...first, ...second });
  expect(await appliedBy(database, twoMigrations)).toEqual(["0001_shelves.sql", "0002_books.sql"]);
  expect(await appliedBy(database, twoMigrations)).toEqual([]);
  expect(await tables(database)).toEqual(["books", "schema_migrations", "shelves"]);
  expect(await appliedMigrations(database)).toEqual(["0001_shelves.sql", "0002_books.sql"]);
});

test("only pending migrations are applied", async () => {
  const database = await emptyDatabase();
  await migrateBy(database, await folder(first));
  expect(await appliedBy(database, await folder({ ...first, ...second }))).toEqual(["0002_books.sql"]);
});

test("only one of several processes that start at the same time migrates", async () => {
  const url = await emptyDatabaseUrl();
  const pools = Array.from({ length: 5 }, () => openTestDatabase(url));
  const allMigrations = await folder({ ...first, ...second });
  const results = await Promise.all(pools.map((pool) => appliedBy(pool, allMigrations)));
  expect(results.filter((names) => names.length > 0)).toEqual([["0001_shelves.sql", "0002_books.sql"]]);
  expect(await appliedMigrations(openTestDatabase(url))).toEqual(["0001_shelves.sql", "0002_books.sql"]);
});

test("a migration edited after it was applied is refused by name", async () => {
  const database = await emptyDatabase();
  await migrateBy(database, await folder(first));
  const edited = await folder({ "0001_shelves.sql": "create table shelves (id bigint)", ...second });
  const refusal = migrateBy(database, edited);
  await expect(refusal).rejects.toThrow(OperatorError);
  await expect(refusal).rejects.toThrow("0001_shelves.sql was applied in another form");
  expect(await tables(database)).not.toContain("books");
});

test("a database with later migrations that only add something is accepted", async () => {
  const database = await emptyDatabase();
  await migrateBy(database, await folder({ ...first, ...second }));
  expect(await appliedBy(database, await folder(first))).toEqual([]);
  expect(await appliedMigrations(database)).toEqual(["0001_shelves.sql", "0002_books.sql"]);
});

test("a database with a later contracting migration is refused only by programs that it breaks", async () => {
  const database = await emptyDatabase();
  await migrateBy(database, await folder({ ...first, ...second, ...third }));
  expect(await appliedBy(database, await folder({ ...first, ...second }))).toEqual([]);
  const refusal = migrateBy(database, await folder(first));
  await expect(refusal).rejects.toThrow(OperatorError);
  await expect(refusal).rejects.toThrow(
    "The database has migration 0003_no_shelves.sql, which took away what this version works with: it knows migrations up to number 1, and number 2 is needed.",
  );
});

const third = { "0003_no_shelves.sql": "-- contracts: needs 0002\ndrop table shelves" };

/** Opens a session with this name in the same database. */
async function openSession(url: string, name: string): Promise<TestDatabase> {
  const session = connectForTest({ url }, { max: 1 });
  onTestFinished(() => session.close());
  await session.driver.unsafe(`set application_name = '${name}'`);
  return session;
}

test.each(["beatmarket serve", "beatmarket serve 1", "beatmarket serve 1 reader", "beatmarket"])(
  "a contracting migration waits for the end of a session %j, and is applied by the next run",
  async (name) => {
    const url = await emptyDatabaseUrl();
    const database = openTestDatabase(url);
    await migrateBy(database, await folder(first));
    const older = await openSession(url, name);
    const outcome = await migrateBy(database, await folder({ ...first, ...second, ...third }));
    expect(outcome).toEqual({
      applied: ["0002_books.sql"],
      waiting: {
        names: ["0003_no_shelves.sql"],
        why: `Migration 0003_no_shelves.sql, which takes away what older releases use, waits until none is connected (now 1 session of ${name.replace(/ 1.*/, "")}); the next start or \`npx beatmarket migrate\` tries again.`,
      },
    });
    expect(await tables(database)).toContain("shelves");
    await older.close();
    await expect.poll(() => olderSessions(database.query, "beatmarket", 2)).toEqual([]);
    expect(await migrateBy(database, await folder({ ...first, ...second, ...third }))).toEqual({
      applied: ["0003_no_shelves.sql"],
      waiting: null,
    });
    expect(await tables(database)).not.toContain("shelves");
  },
);

test.each(["beatmarket serve 2", "beatmarket serve 30 reader", "psql", "beatmarketing 1", "my beatmarket serve"])(
  "a contracting migration does not wait for a session %j",
  async (name) => {
    const url = await emptyDatabaseUrl();
    await openSession(url, name);
    const outcome = await migrateBy(openTestDatabase(url), await folder({ ...first, ...second, ...third }));
    expect(outcome).toMatchObject({
      applied: [expect.anything(), expect.anything(), "0003_no_shelves.sql"],
      waiting: null,
    });
  },
);

test("a waiting contracting migration does not delay later migrations, and is applied after them", async () => {
  const url = await emptyDatabaseUrl();
  const database = openTestDatabase(url);
  const older = await openSession(url, "beatmarket serve 1");
  const allMigrations = await folder({
    ...first,
    ...second,
    ...third,
    "0004_pens.sql": "create table pens (id integer)",
  });
  expect(await migrateBy(database, allMigrations)).toMatchObject({
    applied: ["0001_shelves.sql", "0002_books.sql", "0004_pens.sql"],
    waiting: { names: ["0003_no_shelves.sql"] },
  });
  await older.close();
  await expect.poll(() => appliedBy(database, allMigrations)).toEqual(["0003_no_shelves.sql"]);
});

test("every role can list the sessions of older releases with their command", async () => {
  const url = await emptyDatabaseUrl();
  await openSession(url, "beatmarket import");
  await openSession(url, "beatmarket serve 3 reader");
  const { query } = await asServiceRole(url);
  expect(await olderSessions(query, "beatmarket", 4)).toEqual([
    { name: "beatmarket import", count: 1 },
    { name: "beatmarket serve", count: 1 },
  ]);
  expect(await olderSessions(query, "beatmarket", 3)).toEqual([{ name: "beatmarket import", count: 1 }]);
});

test("a role that may not change the schema continues without a contracting migration, with a reason", async () => {
  const url = await emptyDatabaseUrl();
  const files = { ...first, ...second };
  await migrateBy(openTestDatabase(url), await folder(files));
  const { applied, waiting } = await migrateBy(await asServiceRole(url), await folder({ ...files, ...third }));
  expect(applied).toEqual([]);
  expect(waiting?.why).toMatch(
    /waits for `npx beatmarket migrate` with DATABASE_OWNER_URL: the role \w+ may not change/,
  );
});

test("the name of a session has the program's last migration, followed by the name from the operator's settings", () => {
  expect(sessionName("beatmarket serve", 26)).toBe("beatmarket serve 26");
  expect(sessionName("beatmarket serve", 26, "blue")).toBe("beatmarket serve 26 blue");
  expect(`${sessionName("beatmarket serve", 26, "x".repeat(80))} reader`).toHaveLength(63);
});

test("a migration waits only briefly for a lock, so that others are not blocked, and tries again", async () => {
  const database = await emptyDatabase();
  await migrateBy(database, await folder(first));
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holder = database.driver.begin(async (sql) => {
    await sql`select from shelves`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const altering = appliedBy(
    database,
    await folder({ ...first, "0002_wider.sql": "alter table shelves add width integer" }),
  );
  const countLockWaits = async (): Promise<number> => {
    const [row] = await database.driver`
      select count(*)::int as count from pg_locks
      where not granted and database = (select oid from pg_database where datname = current_database())`;
    return row?.count;
  };
  await expect.poll(countLockWaits).toBe(1);
  await expect.poll(countLockWaits).toBe(0);
  expect(await appliedMigrations(database)).toEqual(["0001_shelves.sql"]);
  expect(await database.driver`select from shelves`).toEqual([]);
  release.resolve();
  await holder;
  expect(await altering).toEqual(["0002_wider.sql"]);
});

test("a failed migration is named, changes nothing, and can be applied again", async () => {
  const database = await emptyDatabase();
  const failing = { "0002_books.sql": "create table books (id integer); insert into nowhere values (1)" };
  await expect(migrateBy(database, await folder({ ...first, ...failing }))).rejects.toThrow(
    'Migration 0002_books.sql failed and changed nothing: relation "nowhere" does not exist',
  );
  expect(await tables(database)).toEqual(["schema_migrations", "shelves"]);
  expect(await appliedMigrations(database)).toEqual(["0001_shelves.sql"]);
  expect(await appliedBy(database, await folder({ ...first, ...second }))).toEqual(["0002_books.sql"]);
});

test("a migration that needs a later migration is refused", async () => {
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

const migrateBy = (database: TestDatabase, dir: URL) => migrate(database, { dir, program: "beatmarket" });
const appliedBy = async (database: TestDatabase, dir: URL): Promise<string[]> =>
  (await migrateBy(database, dir)).applied;

/** Connects as a role that may read and write rows, but may not change the schema. */
async function asServiceRole(url: string): Promise<TestDatabase> {
  const role = `${new URL(url).pathname.slice(1)}_service`;
  const { driver } = openTestDatabase(url);
  await driver.unsafe(
    `create role ${role} login password '${role}'; grant select, insert, update, delete on all tables in schema public to ${role}`,
  );
  return openTestDatabase(Object.assign(new URL(url), { username: role, password: role }).href);
}

const emptyDatabase = async (): Promise<TestDatabase> => openTestDatabase(await emptyDatabaseUrl());

async function tables({ driver }: TestDatabase): Promise<string[]> {
  const rows = await driver<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`;
  return rows.map(({ name }) => name);
}

async function appliedMigrations({ driver }: TestDatabase): Promise<string[]> {
  const rows = await driver<{ name: string }[]>`select name from schema_migrations order by number`;
  return rows.map(({ name }) => name);
}
