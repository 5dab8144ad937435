import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { programEnv } from "@beatmarket/postgres/testing/processes.ts";
import { openTestDatabase, testDatabaseUrl } from "../../server/test/harness/database/database.ts";

const root = join(import.meta.dirname, "../..");
const cheapScrypt = pathToFileURL(join(root, "server/test/harness/cheap-scrypt.main.ts"));

/** A server process on a test database, with the demo catalogue. */
export interface PortalServer {
  /** `https://localhost:…`, with a certificate of the server's own CA. */
  origin: string;
  databaseUrl: string;
  dataDir: string;
  /** The file of the server's CA. The code samples contain its path. */
  caFile: string;
  /** The API key of the demo account. */
  demoKey: string;
  /** Runs an operator's command while the server runs, and returns the output. Throws if the command fails. */
  run(...args: string[]): Promise<string>;
  /** Waits for a mail to `address` that matches, and returns the newest one. */
  mailTo(address: string, matching: RegExp): Promise<string>;
  /** Kills the server, as a crash does. */
  kill(): Promise<void>;
  /** Starts the killed server again, at the same origin. */
  restart(): Promise<void>;
  /** Cuts the server off from its database until the returned function is called. */
  cutDatabase(): Promise<() => Promise<unknown>>;
  stop(): Promise<void>;
}

/** What `serve --json` prints when the server is ready (the origin, the demo account's key), and how to end it. */
interface Running {
  ready: string;
  key: string;
  ca_file: string;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a server. `settings` are environment variables that override the defaults. */
export async function startPortalServer(settings: Record<string, string> = {}): Promise<PortalServer> {
  const databaseUrl = await testDatabaseUrl();
  const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-portal-"));
  const program = join(root, "server/bin/beatmarket.mjs");
  const env = {
    ...programEnv,
    NODE_OPTIONS: `--import=${cheapScrypt}`,
    HOME: dataDir,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: "0",
    LOG_LEVEL: "warn",
    WEBHOOK_ALLOW_PRIVATE: "on",
    ...settings,
  };
  const start = async (port: string): Promise<Running> => {
    const child = spawn(process.execPath, [program, "serve", "--json"], {
      env: { ...env, PORT: port },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (data) => {
      errors += data;
    });
    const ended = once(child, "exit");
    const lines = createInterface(child.stdout);
    const [line] = (await Promise.race([once(lines, "line"), ended.then(() => [])])) as [string?];
    if (line === undefined) throw new Error(`The server did not start: ${errors}`);
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await ended;
    };
    return { ...(JSON.parse(line) as Omit<Running, "end">), end };
  };
  let server = await start(env.PORT);
  const { origin, port } = new URL(server.ready);
  return {
    origin,
    databaseUrl,
    dataDir,
    caFile: server.ca_file,
    demoKey: server.key,
    run: async (...args) => (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout,
    mailTo: (address, matching) => mailTo(join(dataDir, "mail"), address, matching),
    kill: () => server.end("SIGKILL"),
    restart: async () => {
      server = await start(port);
    },
    cutDatabase: () => cutDatabase(databaseUrl),
    stop: async () => {
      await server.end("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function cutDatabase(databaseUrl: string): Promise<() => Promise<unknown>> {
  const { driver } = openTestDatabase(databaseUrl);
  const { pathname, username } = new URL(databaseUrl);
  const limit = (connections: number) =>
    driver.unsafe(`alter database ${pathname.slice(1)} connection limit ${connections}`);
  await limit(0);
  await driver`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = ${username}`;
  return () => limit(-1);
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
