import { emptyDatabaseUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { expect, test } from "vitest";
import { openTestDatabase, testDatabase } from "../harness/database/database.ts";

test("every test database has the whole schema and no rows of another", async () => {
  const firstDatabase = await testDatabase();
  const other = await testDatabase();
  await firstDatabase.query.insertInto("genres").values({ name: "House", slug: "house" }).execute();
  expect(await firstDatabase.query.selectFrom("genres").select("name").execute()).toEqual([{ name: "House" }]);
  expect(await other.query.selectFrom("genres").selectAll().execute()).toEqual([]);
});

test("an empty database has no table", async () => {
  const { driver } = openTestDatabase(await emptyDatabaseUrl());
  expect(await driver`select 1 from pg_tables where schemaname = 'public'`).toEqual([]);
});
