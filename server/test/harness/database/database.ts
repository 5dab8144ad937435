import { randomBytes } from "node:crypto";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { inject } from "vitest";
import { databaseUrl } from "../../../tools/scratch-server.ts";
import type { TestServer } from "../global-setup.ts";
import { connectForTest, type TestDatabase } from "./driver.ts";

let known: TestServer | undefined;

/** The run's PostgreSQL server, which the first test file that asks for it starts. */
export async function testServer(): Promise<TestServer> {
  if (known === undefined) {
    const response = await fetch(inject("testServerUrl"));
    const body = await response.text();
    if (!response.ok) throw new Error(`The PostgreSQL for tests did not start: ${body}`);
    known = JSON.parse(body) as TestServer;
  }
  return known;
}

/**
 * A fresh migrated database of the test file's own, for the code under test as the role that serves, for the statements of
 * the test (`driver`) as superuser; closed and dropped when the file is through.
 */
export async function testDatabase(): Promise<TestDatabase> {
  return openTestDatabase(await testDatabaseUrl());
}

/** The URL of a test database for the role that may change its schema, as DATABASE_OWNER_URL takes it. */
export function ownerUrl(url: string): string {
  if (known === undefined) throw new Error(`Nothing has asked for the PostgreSQL server of ${url} yet.`);
  return databaseUrl(known.url, new URL(url).pathname.slice(1));
}

/** A pool on any database of the run, closed when the file is through. */
export function openTestDatabase(url: string): TestDatabase {
  const superuser = ownerUrl(url);
  const options = { max: 5, applicationName: "beatmarket test" };
  const database =
    url === superuser ? connectForTest({ url }, options) : connectForTest({ url }, options, { url: superuser });
  afterTestFile(() => database.close());
  return database;
}

/**
 * The URL of a fresh migrated database, as a process under test takes it in DATABASE_URL, with the role that serves;
 * dropped when the file is through.
 */
export async function testDatabaseUrl(): Promise<string> {
  const { template, role } = await testServer();
  const url = new URL(await createDatabase(`template ${template}`));
  return Object.assign(url, { username: role, password: role }).href;
}

/** The URL of a fresh database without tables, made with these options of CREATE DATABASE. */
export async function emptyDatabaseUrl(options = ""): Promise<string> {
  return createDatabase(`template template0 ${options}`);
}

async function createDatabase(options: string): Promise<string> {
  const { url, prefix } = await testServer();
  const name = `${prefix}${randomBytes(6).toString("hex")}`;
  await onServer(url, ({ driver }) => driver.unsafe(`create database ${name} ${options}`));
  afterTestFile(() => onServer(url, ({ driver }) => driver.unsafe(`drop database ${name} with (force)`)));
  return databaseUrl(url, name);
}

async function onServer(url: string, work: (server: TestDatabase) => Promise<unknown>): Promise<void> {
  const server = connectForTest({ url }, { max: 1 });
  await work(server).finally(() => server.close());
}
