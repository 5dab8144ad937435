import { readFileSync } from "node:fs";
import type { TestDatabase } from "@beatmarket/postgres/testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "@beatmarket/postgres/testing/test-database.ts";
import type { WebhookTables } from "../src/tables.ts";

const schema = readFileSync(new URL("schema.sql", import.meta.url), "utf8");

/** Creates a new database for the test file, with the tables of this package. */
export async function webhooksDatabase(): Promise<TestDatabase<WebhookTables> & { url: string }> {
  const url = await emptyDatabaseUrl();
  const database = openTestDatabase<WebhookTables>(url);
  await database.driver.unsafe(schema);
  return { ...database, url };
}
