import { readFileSync } from "node:fs";
import type { TestDatabase } from "@beatmarket/postgres/testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "@beatmarket/postgres/testing/test-database.ts";
import type { JobTables } from "../src/tables.ts";

const schema = readFileSync(new URL("schema.sql", import.meta.url), "utf8");

/** Creates a database for the test file, with the table of this package. */
export async function jobsDatabase(): Promise<TestDatabase<JobTables>> {
  const database = openTestDatabase<JobTables>(await emptyDatabaseUrl());
  await database.driver.unsafe(schema);
  return database;
}
