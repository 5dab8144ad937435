import { requireSuitableServer } from "@beatmarket/postgres/connection/connect.ts";
import { databaseUrl } from "@beatmarket/postgres/testing/scratch-server.ts";
import {
  createTestDatabase,
  onTestServer,
  openTestDatabase as openDatabase,
  testPrefix,
  testServerUrl,
} from "@beatmarket/postgres/testing/test-database.ts";
import { lastMigration, migrateSchema } from "../../../src/database/connect.ts";
import { grantService } from "../../../src/database/open.ts";
import type { Tables } from "../../../src/database/tables.ts";
import { connectForTest, type TestDatabase } from "./driver.ts";

/**
 * Creates a migrated database for the test file. The code under test connects as the server's role, the test's own
 * statements (`driver`) as superuser. The database is dropped after the test file.
 */
export async function testDatabase(): Promise<TestDatabase> {
  return openTestDatabase(await testDatabaseUrl());
}

/** A pool on any database of the run, closed after the test file. */
export const openTestDatabase = (url: string): TestDatabase =>
  openDatabase<Tables>(url, { applicationName: "beatmarket test", lastMigration });

/**
 * Creates a migrated database for the DATABASE_URL of a process under test, which connects as the server's role.
 * Returns the URL. The database is dropped after the test file.
 */
export async function testDatabaseUrl(): Promise<string> {
  const template = await migratedTemplate();
  const url = new URL(await createTestDatabase(`template ${template}`));
  return Object.assign(url, { username: serviceRole(), password: serviceRole() }).href;
}

/** The server's role, which has rights in every copy of the template. Its password equals its name. */
export const serviceRole = (): string => `${testPrefix()}service`;

let templateUrl: Promise<string> | undefined;

/** The template of the run's other databases. The first process that needs it creates it. */
function migratedTemplate(): Promise<string> {
  templateUrl ??= makeTemplate();
  return templateUrl;
}

async function makeTemplate(): Promise<string> {
  const prefix = testPrefix();
  const [draft, template, role] = [`${prefix}draft`, `${prefix}template`, serviceRole()];
  const serverUrl = await testServerUrl();
  await onTestServer(async ({ driver }) => {
    await driver`select pg_advisory_lock(hashtext(${template}))`;
    if ((await driver`select from pg_database where datname = ${template}`).length > 0) return;
    await driver`drop database if exists ${driver(draft)} with (force)`;
    await driver`create database ${driver(draft)}`;
    await driver.unsafe(
      `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role} login password '${role}'; end if; end $$`,
    );
    const database = connectForTest({ url: databaseUrl(serverUrl, draft) }, { max: 1 });
    await requireSuitableServer(database)
      .then(() => migrateSchema(database))
      .then(() => grantService(database.query, role))
      .finally(() => database.close());
    await driver`alter database ${driver(draft)} rename to ${driver(template)}`;
  });
  return template;
}
