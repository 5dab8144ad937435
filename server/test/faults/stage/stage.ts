import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, rmSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@beatmarket/foundation/testing/free-port.ts";
import { programEnv } from "@beatmarket/postgres/testing/processes.ts";
import type { PlanName } from "../../../src/access/plans.ts";
import { permissions } from "../../../src/access/roles.ts";
import { connect, migrateSchema } from "../../../src/database/connect.ts";
import { createKey } from "../../../src/resources/api-keys/queries.ts";
import { findOrCreateAccount } from "../../../src/resources/users/accounts.ts";
import { insertBeats } from "../../harness/database/catalogue.ts";
import { connectForTest, type TestDatabase } from "../../harness/database/driver.ts";
import type { Address } from "./client.ts";
import { FaultPostgres } from "./postgres.ts";
import { childrenOf, signal } from "./process-table.ts";

const main = join(import.meta.dirname, "../../../src/main.ts");
const database = "market";
const run = promisify(execFile);
const slots = 6;
/** The signals, with the exit statuses that shells report for them. */
const endingSignals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;
export const secretKey = "a key for the programme of faults, long enough";

/** A server or worker of the marketplace, as an operator starts it. */
export interface Program {
  child: ChildProcess;
  /** The address of a server. */
  address: Address;
  /** Resolves when the program is ready. Rejects if the program ends earlier. */
  ready: Promise<void>;
  /** Resolves when the program has ended, for any reason. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** The environment of one fault: a folder, and the started processes. `close` removes all of it. */
export class Stage {
  readonly folder: string;
  readonly #ports: readonly number[];
  readonly #closing: (() => Promise<void>)[] = [];

  constructor(folder: string, ports: readonly number[]) {
    this.folder = folder;
    this.#ports = ports;
  }

  static async open(): Promise<Stage> {
    const ports = await Promise.all(Array.from({ length: slots }, freePort));
    const folder = await mkdtemp(join(tmpdir(), "beatmarket-faults-"));
    // PostgreSQL's account must be able to enter the folder, even if this runs as root.
    await chmod(folder, 0o755);
    const stage = new Stage(folder, ports);
    stage.#endOnSignals();
    return stage;
  }

  /**
   * A signal also ends the started processes. All end at once: otherwise the fault would see that its PostgreSQL is
   * gone, and fail.
   */
  #endOnSignals(): void {
    for (const [name, status] of endingSignals) {
      const end = () => {
        for (const pid of childrenOf(process.pid)) signal(pid, "SIGKILL");
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
        process.exit(status);
      };
      process.once(name, end);
      this.onClose(async () => void process.off(name, end));
    }
  }

  /** Ends the started processes, the last one first, and removes the folder. */
  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close().catch(() => {});
    await rm(this.folder, { recursive: true, force: true });
  }

  onClose(close: () => Promise<void>): void {
    this.#closing.push(close);
  }

  /** Starts a PostgreSQL server with a migrated database, which an ordinary user owns, as in most installations. */
  async postgres(settings: Record<string, string | number> = {}, folder = join(this.folder, "data")) {
    const postgres = await FaultPostgres.make(folder, settings);
    this.onClose(() => postgres.kill());
    await postgres.ask("create role market login");
    await postgres.ask(`create database ${database} owner market`);
    const setUp = connect({ url: this.databaseUrl(postgres) }, { max: 1 });
    await migrateSchema(setUp);
    await setUp.close();
    return postgres;
  }

  databaseUrl(postgres: FaultPostgres): string {
    return postgres.url(database, "market");
  }

  /** A pool of the test, through which it creates data and inspects results. */
  connect(postgres: FaultPostgres): TestDatabase {
    const pool = connectForTest({ url: this.databaseUrl(postgres) }, { max: 2, applicationName: "faults" });
    this.onClose(() => pool.close());
    return pool;
  }

  /** Starts the server of a slot, which has a separate port and data folder. Restarts a server that has ended. */
  serve(slot: number, databaseUrl: string, settings: Record<string, string> = {}): Program {
    const port = String(this.#ports[slot]);
    const dataDir = this.dataDir(slot);
    const env = { PORT: port, ...this.environment(slot, databaseUrl, settings) };
    const program = this.#start(["serve", "--json"], env, slot);
    const isOverTls = settings.TLS !== "off";
    const address = { origin: isOverTls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`, ca: "" };
    const ready = program.ready.then(async () => {
      if (isOverTls) address.ca = await readFile(join(dataDir, "tls/ca.pem"), "utf8");
    });
    ready.catch(() => {});
    return { ...program, address, ready };
  }

  /** The settings by which the programs of a slot share its data folder, database and storage. */
  environment(slot: number, databaseUrl: string, settings: Record<string, string> = {}): Record<string, string> {
    return {
      DATA_DIR: this.dataDir(slot),
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey,
      // All servers of a database share one storage. An embedded database belongs to one slot.
      STORAGE_URL: pathToFileURL(join(this.folder, `objects-${URL.parse(databaseUrl)?.port ?? `slot-${slot}`}`)).href,
      ...settings,
    };
  }

  /** Starts the worker of a slot. */
  work(slot: number, databaseUrl: string, settings: Record<string, string> = {}): Program {
    const env = { DATA_DIR: this.dataDir(slot), DATABASE_URL: databaseUrl, ...settings };
    return this.#start(["worker", "--json"], env, slot);
  }

  /** The log lines of the programs of a slot. */
  log(slot: number): Promise<string> {
    return readFile(this.#logFile(slot), "utf8");
  }

  /** Runs an operator's command on the data of a slot. Returns the JSON that it prints, with any exit status. */
  async command<T>(
    slot: number,
    databaseUrl: string,
    args: readonly string[],
    settings: Record<string, string> = {},
  ): Promise<T> {
    return JSON.parse(await this.commandText(slot, databaseUrl, [...args, "--json"], settings)) as T;
  }

  /** Like `command`, for a command without `--json`. Returns the output. */
  async commandText(
    slot: number,
    databaseUrl: string,
    args: readonly string[],
    settings: Record<string, string> = {},
  ): Promise<string> {
    const env = this.#environment({ DATA_DIR: this.dataDir(slot), DATABASE_URL: databaseUrl, ...settings });
    const running = run(process.execPath, [main, ...args], { cwd: this.folder, env });
    const { stdout } = await running.catch((error: { stdout?: string }) => {
      if (!error.stdout) throw error;
      return { stdout: error.stdout };
    });
    return stdout;
  }

  /** Starts an operator's command, which may be killed. */
  start(
    slot: number,
    databaseUrl: string,
    args: string[],
    settings: Record<string, string> = {},
  ): Pick<Program, "child" | "ended"> {
    const env = { DATA_DIR: this.dataDir(slot), DATABASE_URL: databaseUrl, ...settings };
    const { child, ended } = this.#start(args, env, slot);
    return { child, ended };
  }

  /** The DATA_DIR of a slot. */
  dataDir(slot: number): string {
    return join(this.folder, `data-${slot}`);
  }

  #logFile(slot: number): string {
    return join(this.folder, `log-${slot}`);
  }

  #environment(settings: Record<string, string>): NodeJS.ProcessEnv {
    return {
      ...programEnv,
      HOME: this.folder,
      DEMO: "off",
      LOG_LEVEL: "warn",
      SECRET_KEY: secretKey,
      WEBHOOK_ALLOW_PRIVATE: "on",
      ...settings,
    };
  }

  #start(args: string[], settings: Record<string, string>, slot: number): Program {
    const log = createWriteStream(this.#logFile(slot), { flags: "a" });
    const env = this.#environment(settings);
    const child = spawn(process.execPath, [main, ...args], {
      cwd: this.folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.pipe(log);
    const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
    const ready = Promise.race([
      once(createInterface(child.stdout), "line").then(() => {}),
      ended.then(async ({ code, signal }) => {
        const logEnd = (await this.log(slot)).slice(-2_000);
        throw new Error(`${args[0]} ended with ${signal ?? code} before it was ready:\n${logEnd}`);
      }),
    ]);
    ready.catch(() => {});
    this.onClose(async () => {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await ended;
    });
    return { child, address: { origin: "", ca: "" }, ready, ended };
  }
}

export const hasEnded = ({ child }: Program): boolean => child.exitCode !== null || child.signalCode !== null;

/** Creates a key with all permissions, in a new account. */
export async function makeKey(db: TestDatabase, email: string, plan: PlanName = "internal"): Promise<string> {
  const { id: userId } = await findOrCreateAccount(db.query, { email });
  const newKey = { userId, name: "faults", plan, permissions, expiresAt: null };
  return (await createKey(db.query, newKey, new Date())).key;
}

/** Makes a catalogue to query. Returns the ids of the beats. */
export const makeBeats = (db: TestDatabase, count: number): Promise<number[]> =>
  insertBeats(
    db,
    Array.from({ length: count }, (_, index) => ({
      producer: `Producer ${index % 7}`,
      genre: ["Trap", "Drill", "House"][index % 3] as string,
      title: `${["Midnight", "Golden", "Broken", "Silent"][index % 4]} ${["River", "Tape", "Signal"][index % 3]} ${index}`,
      tempo: 80 + (index % 80),
      keyCode: index % 24,
      popularity: index % 100,
    })),
  );
