import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import type { TestProject } from "vitest/node";
import { connect, requireSuitableServer } from "../../src/database/connection/connect.ts";
import { grantService } from "../../src/database/grants.ts";
import { migrate } from "../../src/database/migrate.ts";
import { databaseUrl, openScratchServer } from "../../tools/scratch-server.ts";
import { connectForTest } from "./database/driver.ts";

/** Where test files find the run's PostgreSQL server. */
export interface TestServer {
  /** URL of the server's own database, from which others are made and dropped. */
  url: string;
  /** A migrated database that nobody is connected to. */
  template: string;
  /** What the names of this run's databases begin with. */
  prefix: string;
  /** The role that serves, in every copy of the template; its password is its name. */
  role: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the TestServer as JSON; the first request starts it. */
    testServerUrl: string;
  }
}

/**
 * One PostgreSQL for the whole run with one migrated template in it, from the first test file that asks for it; every
 * database of the run is dropped at the end.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: ReturnType<typeof startTestServer> | undefined;
  const starter = createServer((_, response) => {
    started ??= startTestServer();
    started.then(
      ({ server }) => response.end(JSON.stringify(server)),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  }).listen(0, "127.0.0.1");
  await once(starter, "listening");
  project.provide("testServerUrl", `http://127.0.0.1:${(starter.address() as AddressInfo).port}`);
  return async () => {
    starter.closeAllConnections();
    starter.close();
    const running = await started?.catch(() => undefined);
    await running?.tearDown();
  };
}

async function startTestServer(): Promise<{ server: TestServer; tearDown: () => Promise<void> }> {
  const { url, close } = await openScratchServer();
  const prefix = `test_${randomBytes(4).toString("hex")}_`;
  const template = `${prefix}template`;
  const role = `${prefix}service`;
  const { driver, close: disconnect } = connectForTest({ url }, { max: 1 });

  const tearDown = async (): Promise<void> => {
    const left = await driver<{ name: string }[]>`
      select datname as name from pg_database where starts_with(datname, ${prefix})`;
    for (const { name } of left) await driver`drop database if exists ${driver(name)} with (force)`;
    await driver`drop role if exists ${driver(role)}`;
    await disconnect();
    await close();
  };

  try {
    await driver`create database ${driver(template)}`;
    await driver`create role ${driver(role)} login password ${sql.lit(role)}`;
    const database = connect({ url: databaseUrl(url, template) }, { max: 1 });
    await requireSuitableServer(database)
      .then(() => migrate(database))
      .then(() => grantService(database.query, role))
      .finally(() => database.close());
  } catch (error) {
    await tearDown();
    throw error;
  }
  return { server: { url, template, prefix, role }, tearDown };
}
