import { randomBytes } from "node:crypto";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { inject } from "vitest";
import type { ConnectOptions } from "../src/connection/connect.ts";
import { connectForTest, type TestDatabase } from "./driver.ts";
import type {} from "./global-setup.ts";
import { databaseUrl } from "./scratch-server.ts";

/** What the names of this run's databases and roles begin with. */
export const testPrefix = (): string => inject("testPrefix");

let started: string | undefined;

/** The URL of the run's PostgreSQL server, which the first test file that asks for it starts. */
export async function testServerUrl(): Promise<string> {
  if (started === undefined) {
    const response = await fetch(inject("testServerStarter"));
    const body = await response.text();
    if (!response.ok) throw new Error(`The PostgreSQL for tests did not start: ${body}`);
    started = body;
  }
  return started;
}

/** The URL of a test database for the role that may change its schema. */
export function ownerUrl(url: string): string {
  if (started === undefined) throw new Error(`Nothing has asked for the PostgreSQL server of ${url} yet.`);
  return databaseUrl(started, new URL(url).pathname.slice(1));
}

/** A pool on any database of the run, closed when the file is through; its `driver` is superuser. */
// biome-ignore lint/suspicious/noExplicitAny: a program has its tables.
export function openTestDatabase<Tables = any>(url: string, options: ConnectOptions = {}): TestDatabase<Tables> {
  const superuser = ownerUrl(url);
  const its = { max: 5, applicationName: "test", ...options };
  const database =
    url === superuser ? connectForTest<Tables>({ url }, its) : connectForTest<Tables>({ url }, its, { url: superuser });
  afterTestFile(() => database.close());
  return database;
}

/** The URL of a fresh database without tables, made with these options of CREATE DATABASE; dropped when the file is through. */
export const emptyDatabaseUrl = (options = ""): Promise<string> => createTestDatabase(`template template0 ${options}`);

/** The URL of a fresh database, made with these options of CREATE DATABASE; dropped when the file is through. */
export async function createTestDatabase(options: string): Promise<string> {
  const url = await testServerUrl();
  const name = `${testPrefix()}${randomBytes(6).toString("hex")}`;
  await onTestServer(({ driver }) => driver.unsafe(`create database ${name} ${options}`));
  afterTestFile(() => onTestServer(({ driver }) => driver.unsafe(`drop database ${name} with (force)`)));
  return databaseUrl(url, name);
}

/** Runs `work` on the server's own database, on one connection. */
export async function onTestServer<T>(work: (server: TestDatabase) => Promise<T>): Promise<T> {
  const server = connectForTest({ url: await testServerUrl() }, { max: 1 });
  return await work(server).finally(() => server.close());
}
