import { randomBytes } from "node:crypto";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { inject } from "vitest";
import type { ConnectOptions } from "../src/connection/connect.ts";
import { connectForTest, type TestDatabase } from "./driver.ts";
import type {} from "./global-setup.ts";
import { databaseUrl } from "./scratch-server.ts";

/** The prefix of the names of this run's databases and roles. */
export const testPrefix = (): string => inject("testPrefix");

let serverUrl: string | undefined;

/** The URL of the run's PostgreSQL server. The first call of the run starts the server. */
export async function testServerUrl(): Promise<string> {
  if (serverUrl === undefined) {
    const response = await fetch(inject("testServerStarter"));
    const body = await response.text();
    if (!response.ok) throw new Error(`The PostgreSQL for tests did not start: ${body}`);
    serverUrl = body;
  }
  return serverUrl;
}

/** The URL of a test database with the server's superuser, who may change its schema. */
export function ownerUrl(url: string): string {
  if (serverUrl === undefined) throw new Error(`Call testServerUrl() before you connect to ${url}.`);
  return databaseUrl(serverUrl, new URL(url).pathname.slice(1));
}

/** Connects to a database of the run until the end of the test file. The `driver` runs as superuser. */
// biome-ignore lint/suspicious/noExplicitAny: the tables belong to the program.
export function openTestDatabase<Tables = any>(url: string, options: ConnectOptions = {}): TestDatabase<Tables> {
  const superuser = ownerUrl(url);
  const connectOptions = { max: 5, applicationName: "test", ...options };
  const database =
    url === superuser
      ? connectForTest<Tables>({ url }, connectOptions)
      : connectForTest<Tables>({ url }, connectOptions, { url: superuser });
  afterTestFile(() => database.close());
  return database;
}

/** Creates a database without tables, with these options of CREATE DATABASE. Drops it at the end of the test file. */
export const emptyDatabaseUrl = (options = ""): Promise<string> => createTestDatabase(`template template0 ${options}`);

/**
 * Creates a database with these options of CREATE DATABASE, and returns its URL. Drops it at the end of the test file.
 */
export async function createTestDatabase(options: string): Promise<string> {
  const url = await testServerUrl();
  const name = `${testPrefix()}${randomBytes(6).toString("hex")}`;
  await onTestServer(({ driver }) => driver.unsafe(`create database ${name} ${options}`));
  afterTestFile(() => onTestServer(({ driver }) => driver.unsafe(`drop database ${name} with (force)`)));
  return databaseUrl(url, name);
}

/** Runs `work` on the server's default database, on one connection. */
export async function onTestServer<T>(work: (server: TestDatabase) => Promise<T>): Promise<T> {
  const server = connectForTest({ url: await testServerUrl() }, { max: 1 });
  return await work(server).finally(() => server.close());
}
