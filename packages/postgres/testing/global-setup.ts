import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { connectForTest } from "./driver.ts";
import { openScratchServer, type ScratchServer } from "./scratch-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** An HTTP URL. Responds with the URL of the run's PostgreSQL server. The first request starts the server. */
    testServerStarter: string;
    /** The prefix of the names of this run's databases and roles. */
    testPrefix: string;
  }
}

/**
 * One PostgreSQL server for the whole run, which starts on the first request. At the end of the run, drops all its
 * databases and roles.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `test_${randomBytes(4).toString("hex")}_`;
  let starting: Promise<ScratchServer> | undefined;
  const starter = createServer((_, response) => {
    starting ??= openScratchServer();
    starting.then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  }).listen(0, "127.0.0.1");
  await once(starter, "listening");
  project.provide("testServerStarter", `http://127.0.0.1:${(starter.address() as AddressInfo).port}`);
  project.provide("testPrefix", prefix);
  return async () => {
    starter.closeAllConnections();
    starter.close();
    const server = await starting?.catch(() => undefined);
    if (server === undefined) return;
    await dropAll(server.url, prefix);
    await server.close();
  };
}

async function dropAll(url: string, prefix: string): Promise<void> {
  const { driver, close } = connectForTest({ url }, { max: 1 });
  const databases = await driver<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, ${prefix})`;
  for (const { name } of databases) await driver`drop database if exists ${driver(name)} with (force)`;
  const roles = await driver<{ name: string }[]>`
    select rolname as name from pg_roles where starts_with(rolname, ${prefix})`;
  for (const { name } of roles) await driver`drop role ${driver(name)}`;
  await close();
}
