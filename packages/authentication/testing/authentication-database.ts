import { readFileSync } from "node:fs";
import type { TestDatabase } from "@beatmarket/postgres/testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "@beatmarket/postgres/testing/test-database.ts";
import type { AuthenticationTables } from "../src/tables.ts";

const schema = readFileSync(new URL("schema.sql", import.meta.url), "utf8");

/** Creates a database for the test file, with the tables of this package. */
export async function authenticationDatabase(): Promise<TestDatabase<AuthenticationTables>> {
  const database = openTestDatabase<AuthenticationTables>(await emptyDatabaseUrl());
  await database.driver.unsafe(schema);
  return database;
}

/** Adds an account. Returns its id. */
export async function addAccount({ driver }: TestDatabase<AuthenticationTables>, userId: number): Promise<string> {
  const id = `account-${userId}`;
  await driver`insert into users (id) values (${userId})`;
  await driver`insert into portal_users (id, user_id, name, email, email_verified, created_at, updated_at)
    values (${id}, ${userId}, 'Ada', ${`ada${userId}@example.com`}, true, now(), now())`;
  return id;
}
