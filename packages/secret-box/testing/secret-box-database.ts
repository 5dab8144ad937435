import { readFileSync } from "node:fs";
import type { TestDatabase } from "@beatmarket/postgres/testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "@beatmarket/postgres/testing/test-database.ts";
import type { SecretBoxTables } from "../src/tables.ts";

const schema = readFileSync(new URL("schema.sql", import.meta.url), "utf8");

/** Creates a database for the test file, with the table of this package and its row. */
export async function secretBoxDatabase(): Promise<TestDatabase<SecretBoxTables>> {
  const database = openTestDatabase<SecretBoxTables>(await emptyDatabaseUrl());
  await database.driver.unsafe(schema);
  await database.query.insertInto("sealing_key").values({ id: null, format: 2 }).execute();
  return database;
}
