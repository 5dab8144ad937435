import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ScratchServer {
  /** URL of the server's own database, from which others are made and dropped. */
  url: string;
  close(): Promise<void>;
}

/**
 * A PostgreSQL for tests and tools: the one that TEST_DATABASE_URL names, whose user may create databases, or else an
 * embedded one in a folder of its own, both gone after `close`.
 */
export async function openScratchServer(): Promise<ScratchServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, close: async () => {} };

  // A process of its own, which notices when this one ends without `close`, be it killed, and cleans up.
  const holder = spawn(process.execPath, [join(import.meta.dirname, "scratch-server.main.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(holder, "exit");
  const lines = createInterface(holder.stdout);
  const line = await Promise.race([once(lines, "line"), ended.then(() => [])]);
  if (typeof line[0] !== "string") throw new Error("The embedded PostgreSQL for tests did not start; see above.");
  const close = async (): Promise<void> => {
    holder.stdin.end();
    await ended;
  };
  return { url: line[0], close };
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
