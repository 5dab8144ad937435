import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { constants } from "node:fs";
import { chown, mkdir, mkdtemp, open, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Cluster } from "../cluster.ts";
import { cleanEnv } from "./account.ts";
import { clusterFailure } from "./failure.ts";
import { serverSettings } from "./settings.ts";

/** A running server of a cluster, as its `postmaster.pid` describes it. */
export interface Postmaster extends Socket {
  pid: number;
  ready: boolean;
}

export interface StartOptions {
  /** The server that had the socket before, if its clients are to find this one there. */
  previous?: Socket | undefined;
  /** More settings than `serverSettings`. */
  settings?: Record<string, string>;
  /** Until it is ready; `startTimeoutMs` unless said. */
  timeoutMs?: number;
}

interface Socket {
  socketDir: string;
  /** Part of the socket's name; nothing listens on TCP. */
  port: number;
}

const pollMs = 10;
/** Replaying a crash's write-ahead log can take long; giving up on it would only make it start over. */
export const startTimeoutMs = 15 * 60_000;
const stopTimeoutMs = 60_000;
const orphanTimeoutMs = 30_000;
const logBytes = 1024 * 1024;
/** The strictest system's 104 bytes, less a terminator and some room. */
const socketPathBytes = 100;
const socketPrefix = ".s.PGSQL.";
const privateSocketDir = "/tmp/beatmarket-";
const pidFile = "postmaster.pid";

/** The server that runs on the cluster, or undefined. One that is starting or stopping is not `ready`. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const postmaster = await readPidFile(clusterDir);
  return postmaster !== undefined && (await isPostmaster(postmaster.pid, clusterDir)) ? postmaster : undefined;
}

/**
 * Starts the cluster's server in a session of its own, so that neither Ctrl-C nor the end of this process takes it
 * along, and waits until it is ready; on the socket of the one that died, or else of the `previous` one. The caller holds
 * the cluster lock and has found no running server. Throws an OperatorError with the last lines of its log.
 */
export async function startPostmaster(
  cluster: Cluster,
  log: (text: string) => void,
  { previous, settings = {}, timeoutMs = startTimeoutMs }: StartOptions = {},
): Promise<Postmaster> {
  const deadlineMs = performance.now() + orphanTimeoutMs;
  while (true) {
    const dead = await clearAfterKill(cluster.dir);
    const socket = await chooseSocket(cluster, dead ?? previous);
    const output = await openLog(cluster);
    try {
      const child = launch(cluster, socket, { deadPid: dead?.pid, output: output.fd, settings });
      return await untilReady(child, cluster.dir, { log, timeoutMs });
    } catch (error) {
      await clearSocket(socket);
      const said = await output.newText();
      // Connections of a killed server end by themselves, at the latest with the statement they are in.
      if (said.includes("is still in use") && performance.now() < deadlineMs) continue;
      const what = `PostgreSQL does not start on ${cluster.dir} (its log is ${output.file})`;
      throw clusterFailure(what, said === "" ? error : said);
    } finally {
      await output.close();
    }
  }
}

/** Whether the server's process is still there. */
export function isRunning({ pid }: Postmaster): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Stops a server the fast way: clients are cut off, everything committed is on disk. One whose cluster was removed
 * (`isOrphan`) cannot write that, and just ends. Returns once it is gone.
 */
export async function stopPostmaster(postmaster: Postmaster, clusterDir: string, isOrphan = false): Promise<void> {
  for (const signal of isOrphan ? (["SIGQUIT"] as const) : (["SIGINT", "SIGQUIT"] as const)) {
    const deadlineMs = performance.now() + stopTimeoutMs;
    let running = await isPostmaster(postmaster.pid, clusterDir);
    if (running) send(signal, postmaster.pid);
    while (running && performance.now() < deadlineMs) {
      await sleep(pollMs);
      running = (await isPostmaster(postmaster.pid, clusterDir)) || (await isEnding(postmaster.pid));
    }
    if (!running) return clearSocket(postmaster);
  }
  throw new OperatorError(`PostgreSQL on ${clusterDir} (process ${postmaster.pid}) does not stop.`);
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error; // gone by itself
  }
}

function launch(
  cluster: Cluster,
  { socketDir, port }: Socket,
  {
    deadPid,
    output,
    settings: more,
  }: { deadPid: number | undefined; output: number; settings: Record<string, string> },
): ChildProcess {
  const settings = {
    ...serverSettings(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)),
    port: String(port),
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    ...more,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(cluster.programsDir, "bin/postgres"), ["-D", cluster.dir, ...args], {
    ...cluster.account,
    detached: true,
    cwd: "/",
    // PostgreSQL takes its predecessor for alive when another process of the account has that number by now, as happens
    // in restarted containers, unless it is told that this is one of those it descends from.
    env: { ...cleanEnv(cluster.dir), ...(deadPid !== undefined && { PG_GRANDPARENT_PID: String(deadPid) }) },
    stdio: ["ignore", output, output],
  });
  child.unref();
  return child;
}

async function untilReady(
  child: ChildProcess,
  clusterDir: string,
  { log, timeoutMs }: { log: (text: string) => void; timeoutMs: number },
): Promise<Postmaster> {
  let failure: Error | undefined;
  child.on("error", (error) => {
    failure = error;
  });
  child.on("exit", (code, signal) => {
    failure = new Error(`It ended with ${signal ?? `status ${code}`}.`);
  });
  const startMs = performance.now();
  let saidMs = startMs;
  while (performance.now() - startMs < timeoutMs) {
    await sleep(pollMs);
    if (failure !== undefined) throw failure;
    const postmaster = await readPidFile(clusterDir);
    if (postmaster?.ready && postmaster.pid === child.pid) return postmaster;
    if (performance.now() - saidMs < 10_000) continue;
    saidMs = performance.now();
    log("PostgreSQL is still starting: it replays its log, as it does after a crash and in a restore.");
  }
  child.kill("SIGQUIT");
  throw new Error(`It was not ready after ${timeoutMs / 60_000} minutes.`);
}

// Its lines: pid, data folder, start time, port, socket folder, listen address, shared memory, status.
async function readPidFile(clusterDir: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(clusterDir, pidFile), "utf8").catch(() => "")).split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid < 1) return undefined;
  return { pid, port: Number(lines[3]), socketDir: lines[4] ?? "", ready: lines[7]?.trim() === "ready" };
}

/** Whether that process is a server on that cluster, not something else that got the number of a dead one. */
async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  try {
    const command =
      process.platform === "linux"
        ? (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ")
        : (await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)])).stdout;
    return command.includes(`/bin/postgres -D ${clusterDir} `);
  } catch {
    return false;
  }
}

/** Whether that process is on its last instructions: its command line is gone, and its entry is not yet. */
async function isEnding(pid: number): Promise<boolean> {
  try {
    const [command, stat] = await Promise.all(
      ["cmdline", "stat"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8")),
    );
    return command === "" && !/\) [ZX] /.test(stat ?? "");
  } catch {
    return false;
  }
}

/** Tidies up after a server that was killed or lost its power, and returns what it was. */
async function clearAfterKill(clusterDir: string): Promise<Postmaster | undefined> {
  const dead = await readPidFile(clusterDir);
  if (dead !== undefined) await clearSocket(dead);
  // PostgreSQL takes over what another server has written into its file, but stops at an empty one.
  else await rm(join(clusterDir, pidFile), { force: true });
  return dead;
}

/**
 * Chooses the socket of a new server. After a server that ended by itself: the same socket, so that its clients reconnect.
 * Otherwise a new one: when its folder is removed under it, a server deletes "its" socket by path as it ends.
 */
async function chooseSocket(cluster: Cluster, dead: Socket | undefined): Promise<Socket> {
  const port = randomInt(1024, 65_536);
  if (Buffer.byteLength(join(cluster.dir, `${socketPrefix}65535`)) <= socketPathBytes)
    return { socketDir: cluster.dir, port: dead?.socketDir === cluster.dir ? dead.port : port };
  const socket = (await remakeSocketDir(dead)) ?? { socketDir: await mkdtemp(privateSocketDir), port };
  if (cluster.account !== undefined) await chown(socket.socketDir, cluster.account.uid, cluster.account.gid);
  return socket;
}

/** Undefined when there was none, or somebody else has taken the path. */
async function remakeSocketDir(dead: Socket | undefined): Promise<Socket | undefined> {
  if (!dead?.socketDir.startsWith(privateSocketDir)) return undefined;
  const { socketDir, port } = dead;
  return mkdir(socketDir, { mode: 0o700 })
    .then(() => ({ socketDir, port }))
    .catch(() => undefined);
}

/** Removes what a killed server leaves of its socket, with the folder if that is outside the cluster. */
async function clearSocket({ socketDir, port }: Socket): Promise<void> {
  for (const suffix of ["", ".lock"]) await rm(join(socketDir, `${socketPrefix}${port}${suffix}`), { force: true });
  if (socketDir.startsWith(privateSocketDir)) await rmdir(socketDir).catch(() => {});
}

/** Opens the server's log for appending; what is over the limit first becomes the one older log. */
async function openLog(cluster: Cluster) {
  const file = join(cluster.dir, "postgres.log");
  let startBytes = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (startBytes > logBytes) {
    await rename(file, `${file}.1`);
    startBytes = 0;
  }
  // O_NOFOLLOW: the folder belongs to an account that must not choose what root appends to.
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  const handle = await open(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR, 0o600);
  if (cluster.account !== undefined) await handle.chown(cluster.account.uid, cluster.account.gid);
  return {
    file,
    fd: handle.fd,
    newText: async () => (await readFile(file)).subarray(startBytes).toString(),
    close: () => handle.close(),
  };
}
