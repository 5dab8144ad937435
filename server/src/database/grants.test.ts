import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { databaseUrl } from "@beatmarket/postgres/testing/scratch-server.ts";
import { emptyDatabaseUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openTestDatabase, serviceRole, testDatabase, testDatabaseUrl } from "../../test/harness/database/database.ts";
import { migrateSchema } from "./connect.ts";
import { grantService, openDatabase } from "./open.ts";

// Every test of the service runs as the service's role, so the other tests show the permitted actions.
// These tests show the forbidden actions.
const { query: db, driver } = await testDatabase();

test.each([
  ["make a table", "create table mine (id integer)"],
  ["make a function", "create function mine() returns void language sql as ''"],
  ["drop a table", "drop table orders"],
  ["alter a table", "alter table beats add column mine text"],
  ["disable a trigger", "alter table beats disable trigger all"],
  ["empty a table without its triggers", "truncate orders"],
  ["read the passwords of roles", "select * from pg_authid"],
  ["make a role", "create role mine superuser"],
  ["become the superuser", "set session authorization postgres"],
  ["run a program", "copy beats to program 'cat'"],
  ["read a file", "copy beats from '/etc/passwd'"],
  ["write a file", "copy beats to '/tmp/beats'"],
  ["read a file by a function", "select pg_read_file('/etc/passwd')"],
  ["change the server's settings", "alter system set log_statement = 'none'"],
  ["make a database", "create database mine"],
])("the service's role cannot %s", async (_what, statement) => {
  await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({
    code: expect.stringMatching(/^(42501|22023)$/),
  });
});

test("the service's role cannot read another database of the server", async () => {
  const url = await emptyDatabaseUrl();
  await openTestDatabase(url).driver`create table service_table (id integer)`;
  const role = serviceRole();
  const other = openTestDatabase(
    Object.assign(new URL(databaseUrl(url, new URL(url).pathname.slice(1))), { username: role, password: role }).href,
  );
  await expect(sql`select * from service_table`.execute(other.query)).rejects.toMatchObject({ code: "42501" });
});

test("the service's role may use tables of later migrations, and a second grant changes nothing", async () => {
  const role = serviceRole();
  await driver.unsafe("create table later (id bigint generated always as identity, text text)");
  await sql`insert into later (text) values ('new')`.execute(db);
  const version = () => driver`select xmin::text from pg_class where relname = 'later'`;
  const before = await version();
  await grantService(driver.db, role);
  expect(await version()).toEqual(before);
});

test("with DATABASE_OWNER_URL, the owner migrates, and the role of DATABASE_URL gets the necessary privileges", async () => {
  const url = await emptyDatabaseUrl();
  const role = serviceRole();
  const databaseUrl = Object.assign(new URL(url), { username: role, password: role }).href;
  const open = (databaseOwnerUrl?: string) =>
    openDatabase({ databaseUrl, databaseOwnerUrl, dataDir: "/nonexistent" }, { log: () => {}, max: 1 });

  const alone = await open();
  const refusal = await alone.migrate().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(OperatorError);
  expect(String(refusal)).toContain(
    `the role ${role} may not change it. Run \`npx beatmarket migrate\` with DATABASE_OWNER_URL`,
  );

  const both = await open(url);
  expect((await both.migrate()).applied.length).toBeGreaterThan(15);
  expect(await alone.query.selectFrom("beats").select("id").execute()).toEqual([]);
  expect(await alone.migrate()).toEqual({ applied: [], waiting: null });
  await Promise.all([alone.close(), both.close()]);
});

test("a role that owns nothing starts on an up-to-date schema", async () => {
  expect(await migrateSchema(openTestDatabase(await testDatabaseUrl()))).toEqual({ applied: [], waiting: null });
});
