import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { Kysely, PostgresDialect, sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { connectForTest } from "../../testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "../../testing/test-database.ts";
import { connect, requireSuitableServer } from "./connect.ts";
import { serviceTimeouts } from "./settings.ts";

test("bigints, bigint arrays, jsonb, times and bytes have their JavaScript types in parameters and rows", async () => {
  const { driver } = openTestDatabase(await emptyDatabaseUrl());
  const ids = [1, 9007199254740991];
  const headers = { accept: "text/html", list: [1, "two", null] };
  const time = new Date("2026-01-02T03:04:05.678Z");
  const [row] = await driver`
    select 9007199254740991::bigint as id, ${ids}::bigint[] as ids, array_agg(beat) as beats,
           ${JSON.stringify(headers)}::jsonb as headers, ${time}::timestamptz as time, ${["a", "b,c"]}::text[] as tags,
           ${Buffer.from([0, 255])}::bytea as bytes, 93.5::real as tempo
    from unnest(${ids}::bigint[]) as beat where beat = any(${ids}::bigint[])`;
  expect(row).toEqual({
    id: 9007199254740991,
    ids,
    beats: ids,
    headers,
    time,
    tags: ["a", "b,c"],
    bytes: Buffer.from([0, 255]),
    tempo: 93.5,
  });
});

test("a row that the query builder inserts is selected with the same values", async () => {
  const { query, driver } = openTestDatabase(await emptyDatabaseUrl());
  await driver`create table calls (
    id bigserial, key_id integer, user_id integer, from_explorer boolean, first_at timestamptz(3), last_at timestamptz(3),
    calls integer, refused bigint, content bytea)`;
  const entry = {
    key_id: 7,
    user_id: null,
    from_explorer: true,
    first_at: new Date("2026-01-02T03:04:05.678Z"),
    last_at: new Date("2026-01-02T03:04:06Z"),
    calls: 2,
    refused: 0,
    content: Buffer.from([0, 255, 92]),
  };
  const inserted = await query.insertInto("calls").values(entry).returningAll().executeTakeFirstOrThrow();
  expect(inserted).toMatchObject(entry);
  expect(inserted.id).toBeTypeOf("number");
  const selected = await query.selectFrom("calls").selectAll().where("id", "=", inserted.id).executeTakeFirstOrThrow();
  expect(selected).toEqual(inserted);
});

test("a service's sessions have a time limit for statements and for lock waits", async () => {
  const database = connect({ url: await emptyDatabaseUrl() }, serviceTimeouts);
  onTestFinished(() => database.close());
  const { rows } = await sql`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`.execute(
    database.query,
  );
  expect(rows).toEqual([{ statement: "10s", lock: "5s" }]);
});

test("a session uses UTC, whatever the time zone of the database", async () => {
  const url = await emptyDatabaseUrl();
  const name = new URL(url).pathname.slice(1);
  await openTestDatabase(url).driver.unsafe(`alter database ${name} set timezone to 'Asia/Tokyo'`);
  const { driver } = openTestDatabase(url);
  expect(await driver`select '2026-01-02T03:04:05Z'::timestamptz::text as time`).toEqual([
    { time: "2026-01-02 03:04:05+00" },
  ]);
});

test("a URL may name a socket folder in the form of libpq", async () => {
  const database = connectForTest({ url: "postgres://nobody:secret@localhost/beats?host=/no/such/folder&port=6000" });
  await expect(database.driver`select 1`).rejects.toThrow("/no/such/folder/.s.PGSQL.6000");
  await database.close();
});

test("a server with UTF-8 is accepted", async () => {
  await expect(requireSuitableServer(openTestDatabase(await emptyDatabaseUrl()))).resolves.toBeUndefined();
});

test("a server older than PostgreSQL 15 is refused with its version", async () => {
  const old = new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => ({
          query: async () => ({
            command: "SELECT",
            rowCount: 1,
            rows: [{ version: 140012, encoding: "UTF8", ctype: "C.UTF-8" }],
          }),
          release: () => {},
        }),
        end: async () => {},
      } as never,
    }),
  });
  await expect(requireSuitableServer({ query: old })).rejects.toThrow(
    "The database is PostgreSQL 14; 15 or newer is needed.",
  );
});

test.each([
  ["encoding 'SQL_ASCII' locale_provider libc locale 'C'", "stores text as SQL_ASCII; UTF8 is needed"],
  ["encoding 'LATIN1' locale_provider libc locale 'C'", "stores text as LATIN1; UTF8 is needed"],
  ["encoding 'UTF8' locale_provider libc locale 'C'", "knows ASCII letters only"],
  ["encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' lc_ctype 'C'", "knows ASCII letters only"],
  ["encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' lc_ctype 'POSIX'", "knows ASCII letters only"],
  ["encoding 'UTF8' locale_provider builtin builtin_locale 'C' lc_ctype 'C.UTF-8'", "knows ASCII letters only"],
])("a database with %s is refused with a reason", async (options, reason) => {
  const database = openTestDatabase(await emptyDatabaseUrl(options));
  const refusal = requireSuitableServer(database);
  await expect(refusal).rejects.toThrow(OperatorError);
  await expect(refusal).rejects.toThrow(reason);
});
