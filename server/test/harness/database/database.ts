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
import { grantService } from "../../../src/database/grants.ts";
import type { Tables } from "../../../src/database/tables.ts";
import { connectForTest, type TestDatabase } from "./driver.ts";

/**
 * A fresh migrated database for the test file. The code under test connects as the role that serves, the statements of
 * the test (`driver`) as superuser. It is closed and dropped after the test file.
 */
export async function testDatabase(): Promise<TestDatabase> {
  return openTestDatabase(await testDatabaseUrl());
}

/** A pool on any database of the run, closed after the test file. */
export const openTestDatabase = (url: string): TestDatabase =>
  openDatabase<Tables>(url, { applicationName: "beatmarket test", lastMigration });

/**
 * The URL of a fresh migrated database for the DATABASE_URL of a process under test, with the role that serves. The
 * database is dropped after the test file.
 */
export async function testDatabaseUrl(): Promise<string> {
  const template = await migratedTemplate();
  const url = new URL(await createTestDatabase(`template ${template}`));
  return Object.assign(url, { username: serviceRole(), password: serviceRole() }).href;
}

/** The role that serves, in every copy of the template; its password is its name. */
export const serviceRole = (): string => `${testPrefix()}service`;

let made: Promise<string> | undefined;

/** The template that other databases of the run are copies of. The first process that asks for it makes it. */
function migratedTemplate(): Promise<string> {
  made ??= makeTemplate();
  return made;
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
