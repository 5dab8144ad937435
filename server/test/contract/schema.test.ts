import { readFile } from "node:fs/promises";
import { emptyDatabaseUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { expect, test } from "vitest";
import { describeSchema } from "../../tools/schema.ts";
import { openTestDatabase, testDatabase } from "../harness/database/database.ts";

const committed = (path: string): Promise<string> => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");

test("schema.sql and tables.ts match the migrations; `npm run schema` rebuilds them", async () => {
  const { sql, types } = await describeSchema((await testDatabase()).query);
  expect(sql).toBe(await committed("database/schema.sql"));
  expect(types).toBe(await committed("server/src/database/tables.ts"));
});

test("the description shows every change to a table", async () => {
  const { driver } = await testDatabase();
  await driver`create table shelves (id bigint generated always as identity primary key, name text)`;
  const texts = [await describeSchema(driver.db)];
  for (const change of [
    "alter table shelves add label text not null default ''",
    "alter table shelves alter label drop not null",
    "alter table shelves alter label set default 'none'",
    "alter table shelves add check (label <> '')",
    'alter table shelves alter label type text collate "C"',
    "alter table shelves add upper_label text generated always as (upper(label)) stored",
    "create index shelves_label on shelves (label) where label is not null",
    "alter table shelves set (fillfactor = 80)",
    "alter table shelves add genre_id bigint references genres",
    "create function touch() returns trigger language plpgsql as $$ begin return new; end $$",
    "create trigger shelves_touched before update on shelves for each row execute function touch()",
    "create or replace function touch() returns trigger language plpgsql as $$ begin return old; end $$",
    "alter table shelves set unlogged",
  ]) {
    await driver.unsafe(change);
    const description = await describeSchema(driver.db);
    expect(
      texts.map(({ sql }) => sql),
      change,
    ).not.toContain(description.sql);
    texts.push(description);
  }
});

test.each([
  ["relation tall", "create view tall as select 1 as one"],
  ["relation tall", "create materialized view tall as select 1 as one"],
  ["relation tall", "create table tall (id integer) partition by hash (id)"],
  ["type tall", "create type tall as enum ('a')"],
  ["type tall", "create domain tall as text check (value <> '')"],
  ["statistics tall", "create table t (a integer, b integer); create statistics tall on a, b from t"],
])("an object that the description cannot express is refused, not omitted: %s (%s)", async (name, statement) => {
  const { driver } = openTestDatabase(await emptyDatabaseUrl());
  await driver.unsafe(statement);
  await expect(describeSchema(driver.db)).rejects.toThrow(`cannot describe yet: ${name}.`);
});
