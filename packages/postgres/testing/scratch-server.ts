import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ScratchServer {
  /** The URL of the server's default database, for creating and dropping other databases. */
  url: string;
  close(): Promise<void>;
}

/**
 * Opens a PostgreSQL server for tests and tools: the server of TEST_DATABASE_URL, whose user may create databases, or
 * an embedded server in a temporary folder. `close` removes the embedded server and its folder.
 */
export async function openScratchServer(): Promise<ScratchServer> {
  const testDatabaseUrl = process.env.TEST_DATABASE_URL;
  if (testDatabaseUrl) return { url: testDatabaseUrl, close: async () => {} };

  // In a separate process, which cleans up even if this process is killed before `close`.
  const holder = spawn(process.execPath, [join(import.meta.dirname, "scratch-server.main.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const exitEvent = once(holder, "exit");
  const lines = createInterface(holder.stdout);
  const line = await Promise.race([once(lines, "line"), exitEvent.then(() => [])]);
  if (typeof line[0] !== "string") throw new Error("The embedded PostgreSQL for tests did not start; see above.");
  const close = async (): Promise<void> => {
    holder.stdin.end();
    await exitEvent;
  };
  return { url: line[0], close };
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
