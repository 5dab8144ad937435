import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { connect, type Database } from "../src/database/connect.ts";
import { databaseUrl } from "./global-setup.ts";

const cleanups: (() => Promise<void>)[] = [];

// Registered on import, ahead of every hook of the test file, so that it runs after all of them.
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** A pool on a fresh migrated database of the test file's own; closed and dropped when the file is through. */
export async function testDatabase(): Promise<Database> {
  return openTestDatabase(await testDatabaseUrl());
}

/** A pool on any database of the run, closed when the file is through. */
export function openTestDatabase(url: string): Database {
  const database = connect({ url }, { max: 5, applicationName: "beatmarket test" });
  cleanups.push(() => database.close());
  return database;
}

/**
 * A fresh migrated database as a process under test takes it in DATABASE_URL; dropped when the file is through.
 * `empty`: without any table.
 */
export async function testDatabaseUrl(contents: "migrated" | "empty" = "migrated"): Promise<string> {
  const { url, template, prefix } = inject("testServer");
  const name = `${prefix}${randomBytes(6).toString("hex")}`;
  await onServer(url, ({ driver }) =>
    contents === "migrated"
      ? driver`create database ${driver(name)} template ${driver(template)}`
      : driver`create database ${driver(name)}`,
  );
  cleanups.push(() => onServer(url, ({ driver }) => driver`drop database ${driver(name)} with (force)`));
  return databaseUrl(url, name);
}

async function onServer(url: string, work: (server: Database) => Promise<unknown>): Promise<void> {
  const server = connect({ url }, { max: 1 });
  await work(server).finally(() => server.close());
}
