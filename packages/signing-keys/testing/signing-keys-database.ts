import { readFileSync } from "node:fs";
import type { TestDatabase } from "@beatmarket/postgres/testing/driver.ts";
import type { SecretBoxTables } from "@beatmarket/secret-box/tables.ts";
import { secretBoxDatabase } from "@beatmarket/secret-box/testing/secret-box-database.ts";
import type { SigningKeyTables } from "../src/tables.ts";

const schema = readFileSync(new URL("schema.sql", import.meta.url), "utf8");

/** Creates a database for the test file, with the tables of this package and of the secret box. */
export async function signingKeysDatabase(): Promise<TestDatabase<SigningKeyTables & SecretBoxTables>> {
  const database = await secretBoxDatabase();
  await database.driver.unsafe(schema);
  return database as TestDatabase as TestDatabase<SigningKeyTables & SecretBoxTables>;
}
