import { readFileSync } from "node:fs";
import type { TestDatabase } from "@beatmarket/postgres/testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "@beatmarket/postgres/testing/test-database.ts";
import type { RequestLogTables } from "../src/tables.ts";

const schema = readFileSync(new URL("schema.sql", import.meta.url), "utf8");

/** Creates a new database for the test file, with the tables of this package. */
export async function requestLogDatabase(): Promise<TestDatabase<RequestLogTables>> {
  const database = openTestDatabase<RequestLogTables>(await emptyDatabaseUrl());
  await database.driver.unsafe(schema);
  return database;
}
