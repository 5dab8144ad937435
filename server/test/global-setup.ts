import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { connect, requireSuitableServer } from "../src/database/connect.ts";
import { migrate } from "../src/database/migrate.ts";

/** Where test files find the run's PostgreSQL server. */
export interface TestServer {
  /** URL of the server's own database, from which others are made and dropped. */
  url: string;
  /** A migrated database that nobody is connected to. */
  template: string;
  /** What the names of this run's databases begin with. */
  prefix: string;
}

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** One PostgreSQL for the whole run with one migrated template in it; every database of the run is dropped at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) throw new Error("Set TEST_DATABASE_URL to a PostgreSQL whose user may create databases.");
  const prefix = `test_${randomBytes(4).toString("hex")}_`;
  const template = `${prefix}template`;
  const server = connect({ url }, { max: 1 });

  const dropAll = async (): Promise<void> => {
    const names = await server.driver<{ datname: string }[]>`
      select datname from pg_database where starts_with(datname, ${prefix})`;
    for (const { datname } of names)
      await server.driver`drop database if exists ${server.driver(datname)} with (force)`;
    await server.close();
  };

  try {
    await server.driver`create database ${server.driver(template)}`;
    const migrated = connect({ url: databaseUrl(url, template) }, { max: 1 });
    await requireSuitableServer(migrated)
      .then(() => migrate(migrated))
      .finally(() => migrated.close());
  } catch (error) {
    await dropAll();
    throw error;
  }
  project.provide("testServer", { url, template, prefix });
  return dropAll;
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
