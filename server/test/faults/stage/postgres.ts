import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster, openCluster } from "@beatmarket/postgres/embedded/cluster.ts";
import { cleanEnv } from "@beatmarket/postgres/embedded/postgres/account.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import { findPackage } from "@beatmarket/postgres/embedded/postgres/programs.ts";
import { connectForTest } from "../../harness/database/driver.ts";
import { childrenOf, signal } from "./process-table.ts";

const port = 5432;
const startTimeoutMs = 60_000;

/** A PostgreSQL server of `npm run faults`, from the embedded programs. No other process manages it. */
export class FaultPostgres {
  readonly #cluster: Cluster;
  readonly #settings: Record<string, string | number>;
  #server: ChildProcess | null = null;

  constructor(cluster: Cluster, settings: Record<string, string | number>) {
    this.#cluster = cluster;
    this.#settings = settings;
  }

  /** Creates a cluster in a folder, and starts it. */
  static async make(folder: string, settings: Record<string, string | number> = {}): Promise<FaultPostgres> {
    await mkdir(folder, { recursive: true });
    // If this runs as root, PostgreSQL's account must be able to enter the folder.
    await chmod(folder, 0o755);
    const cluster = await openCluster(folder, await findPackage(), () => {});
    const server = new FaultPostgres(cluster, settings);
    await server.start();
    return server;
  }

  /** The data folder. */
  get dir(): string {
    return this.#cluster.dir;
  }

  /** The URL of a database on the server, for a user, by default the superuser. */
  url(database = "postgres", user: string = superuser): string {
    return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(this.dir)}&port=${port}`;
  }

  /** Runs a statement of the test on a new connection, and closes the connection. */
  async ask(statement: string, database?: string): Promise<Record<string, unknown>[]> {
    const connection = connectForTest({ url: this.url(database) }, { max: 1, applicationName: "faults" });
    try {
      return await connection.driver.unsafe(statement);
    } finally {
      await connection.close();
    }
  }

  /** Resolves when the server answers. */
  async start(): Promise<void> {
    const settings = { port, unix_socket_directories: this.dir, listen_addresses: "", fsync: "off", ...this.#settings };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(join(this.#cluster.programsDir, "bin/postgres"), ["-D", this.dir, ...args], {
      ...this.#cluster.account,
      cwd: "/",
      env: cleanEnv(this.dir),
      stdio: "ignore",
    });
    this.#server = child;
    await this.answers(() => child.exitCode !== null);
  }

  /** Resolves when the server answers. Throws if the server has ended. */
  async answers(hasEnded: () => boolean = () => false): Promise<void> {
    const deadlineMs = performance.now() + startTimeoutMs;
    while (performance.now() < deadlineMs && !hasEnded()) {
      if (
        await this.ask("select 1").then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(10);
    }
    throw new Error("The programme's PostgreSQL did not start.");
  }

  /** Stops the server like an operator: it ends connections, and writes all data to disk. */
  stop(): Promise<void> {
    return this.#end("SIGINT");
  }

  /** Kills the server like the kernel when memory is exhausted: the server can neither send nor write. */
  async kill(): Promise<void> {
    const processes = this.#processes();
    for (const pid of processes) signal(pid, "SIGKILL");
    await this.#end("SIGKILL");
    for (const pid of processes) while (isRunning(pid)) await sleep(10);
  }

  /** Suspends all processes of the server. */
  pause(): void {
    for (const pid of this.#processes()) signal(pid, "SIGSTOP");
  }

  resume(): void {
    for (const pid of this.#processes()) signal(pid, "SIGCONT");
  }

  async #end(signalName: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signalName);
    await ended;
  }

  /** The postmaster comes first, so that it cannot start a process during the loop. */
  #processes(): number[] {
    const pid = this.#server?.pid;
    if (pid === undefined) return [];
    return [pid, ...childrenOf(pid)];
  }
}

const isRunning = (pid: number): boolean => signal(pid, 0);
