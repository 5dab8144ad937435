import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { testDatabaseUrl } from "../../server/test/harness/database.ts";

const root = join(import.meta.dirname, "../..");

/** The program as people start it, on a database of its own with the demo catalogue in it. */
export interface PortalServer {
  /** `https://localhost:…`, under a certificate of its own. */
  origin: string;
  databaseUrl: string;
  /** The demo account's key. */
  demoKey: string;
  /** The text of the newest mail to an address; waits for it. */
  mailTo(address: string, matching: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a server; `settings` go over its environment. */
export async function startPortalServer(settings: Record<string, string> = {}): Promise<PortalServer> {
  const databaseUrl = await testDatabaseUrl();
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-portal-"));
  const child = spawn(process.execPath, [join(root, "server/bin/beatmarket.mjs"), "serve", "--json"], {
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: "0",
      LOG_LEVEL: "warn",
      WEBHOOK_ALLOW_PRIVATE: "on",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const ended = once(child, "exit");
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended.then(() => [])])) as [string?];
  if (line === undefined) throw new Error(`The server did not start: ${errors}`);
  const { ready, key } = JSON.parse(line) as { ready: string; key: string };
  return {
    origin: new URL(ready).origin,
    databaseUrl,
    demoKey: key,
    mailTo: (address, matching) => mailTo(join(dataDir, "mail"), address, matching),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function mailTo(folder: string, address: string, matching: RegExp): Promise<string> {
  for (;;) {
    const files = (await readdir(folder).catch(() => [])).sort().reverse();
    for (const file of files) {
      const text = await readFile(join(folder, file), "utf8");
      if (text.includes(`To: ${address}\n`) && matching.test(text)) return text;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
