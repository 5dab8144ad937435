import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdtemp, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import { openEmbedded } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { afterAll } from "vitest";
import { connectForTest } from "../harness/database/driver.ts";

/** A primary and its streaming replica, started for the test file and removed after it. */
export interface ReplicatedServer {
  primaryUrl: string;
  replica: {
    url: string;
    /** Runs a statement on the replica. */
    sql<Row extends object>(text: string): Promise<Row[]>;
    /** Kills the replica with SIGKILL. */
    kill(): Promise<void>;
    start(): Promise<void>;
  };
}

// Data need not survive a power failure, so no write waits for the disk.
const hurried = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** Starts a primary and a replica, which is a copy of the running primary's data folder and follows the primary. */
export async function replicatedServer(): Promise<ReplicatedServer> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-replicated-"));
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // PostgreSQL's account must be able to enter the folder, even if this runs as root.
  await chmod(folder, 0o755);
  const server = await openEmbedded(folder, () => {});
  afterAll(() => server.close());
  const address = server.addressFor("beatmarket");
  if (!("socketDir" in address)) throw new Error("The embedded server does not listen on a socket.");
  const primary = connectForTest(address, { max: 1 });
  for (const setting of hurried) await primary.driver.unsafe(`alter system set ${setting.replace("=", " = ")}`);
  await primary.driver`select pg_reload_conf()`;

  const primaryDir = await realpath(join(folder, "postgres"));
  const replicaDir = join(folder, "replica");
  await primary.driver`select pg_backup_start('replica', fast => true)`;
  await cp(primaryDir, replicaDir, {
    recursive: true,
    filter: (path) => !/^(postmaster\.(pid|opts)|postgres\.log|\.s\.PGSQL.*)$/.test(basename(path)),
  });
  // A replica must admit as many connections as its primary.
  const [limit] = await primary.driver<{ max_connections: string }[]>`show max_connections`;
  const [backup] = await primary.driver<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
  await primary.close();
  const { socketDir, port, user, database } = address;
  await writeFile(join(replicaDir, "backup_label"), backup?.labelfile ?? "");
  await writeFile(join(replicaDir, "standby.signal"), "");
  const { uid, gid } = await stat(primaryDir);
  for (const path of ["", ...(await readdir(replicaDir, { recursive: true }))])
    await chown(join(replicaDir, path), uid, gid);
  await chmod(replicaDir, 0o700);

  const settings = [
    ...hurried,
    `max_connections=${limit?.max_connections}`,
    `primary_conninfo=host=${socketDir} port=${port} user=${user}`,
    `unix_socket_directories=${replicaDir}`,
    "listen_addresses=",
    "wal_retrieve_retry_interval=100ms",
  ];
  const programs = (await readdir(folder)).find((name) => name.startsWith("postgresql-")) ?? "";
  const replicaAddress: DatabaseAddress = { socketDir: replicaDir, port: 5432, user, database };
  let child: ChildProcess | null = null;
  const sql = async <Row extends object>(statement: string): Promise<Row[]> => {
    const connection = connectForTest(replicaAddress, { max: 1 });
    return (await connection.driver.unsafe<Row[]>(statement).finally(() => connection.close())) as Row[];
  };
  const start = async () => {
    child = spawn(
      join(folder, programs, "bin/postgres"),
      ["-D", replicaDir, ...settings.flatMap((setting) => ["-c", setting])],
      { uid, gid, cwd: "/", env: { PATH: "/usr/bin:/bin" }, stdio: ["ignore", "ignore", "pipe"] },
    );
    const log = text(child.stderr as Readable);
    while (!(await sql("select").catch(() => null))) {
      if (child.exitCode !== null) throw new Error(`The replica ended:\n${await log}`);
      await sleep(50);
    }
  };
  const kill = async () => {
    if (child === null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    child = null;
    await rm(join(replicaDir, "postmaster.pid"), { force: true });
  };
  afterAll(kill);
  await start();
  const urlOf = (dir: string, listeningPort: number) =>
    `postgres://${user}@localhost/${database}?host=${encodeURIComponent(dir)}&port=${listeningPort}`;
  return {
    primaryUrl: urlOf(socketDir, port),
    replica: { url: urlOf(replicaDir, 5432), sql, kill, start },
  };
}
