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

/** The running server of a cluster, as `postmaster.pid` describes it. */
export interface Postmaster extends Socket {
  pid: number;
  ready: boolean;
}

export interface StartOptions {
  /** The socket of the previous server. The new server reuses it, so that the clients find it. */
  previous?: Socket | undefined;
  /** Settings in addition to `serverSettings`. */
  settings?: Record<string, string>;
  /** The time limit until the server is ready. Default: `startTimeoutMs`. */
  timeoutMs?: number;
  /** Called when the server's process runs, before it is ready. */
  onLaunch?: (() => void) | undefined;
}

interface Socket {
  socketDir: string;
  /** A part of the socket's name. The server does not listen on TCP. */
  port: number;
}

const pollMs = 10;
/**
 * Long, since the server may replay its write-ahead log after a crash. A new attempt would replay it from the
 * beginning.
 */
export const startTimeoutMs = 15 * 60_000;
const stopTimeoutMs = 60_000;
const leftoverProcessTimeoutMs = 30_000;
const logBytes = 1024 * 1024;
/** The limit for the path of a Unix socket. The strictest system allows 104 bytes, including a terminator. */
const socketPathBytes = 100;
const socketPrefix = ".s.PGSQL.";
const privateSocketDir = "/tmp/beatmarket-";
const pidFile = "postmaster.pid";

/** The running server of the cluster, or undefined. `ready` is false while it is starting or stopping. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const postmaster = await readPidFile(clusterDir);
  return postmaster !== undefined && (await isPostmaster(postmaster.pid, clusterDir)) ? postmaster : undefined;
}

/**
 * Starts the cluster's server and waits until it is ready. The server has its own session, so that neither Ctrl-C nor
 * the end of this process stops it. It reuses the socket of a server that died, or else of the `previous` server. The
 * caller holds the cluster lock and has found no running server. Throws an OperatorError with the last lines of the
 * server's log.
 */
export async function startPostmaster(
  cluster: Cluster,
  log: (text: string) => void,
  { previous, settings = {}, timeoutMs = startTimeoutMs, onLaunch }: StartOptions = {},
): Promise<Postmaster> {
  const deadlineMs = performance.now() + leftoverProcessTimeoutMs;
  while (true) {
    const dead = await clearAfterKill(cluster.dir);
    const socket = await chooseSocket(cluster, dead ?? previous);
    const output = await openLog(cluster);
    try {
      const child = launch(cluster, socket, { deadPid: dead?.pid, output: output.fd, settings });
      onLaunch?.();
      return await untilReady(child, cluster.dir, { log, timeoutMs });
    } catch (error) {
      await clearSocket(socket);
      const logText = await output.newText();
      // The connection processes of a killed server end by themselves, at the latest when their statement ends.
      if (logText.includes("is still in use") && performance.now() < deadlineMs) continue;
      const problem = `PostgreSQL does not start on ${cluster.dir} (its log is ${output.file})`;
      throw clusterFailure(problem, logText === "" ? error : logText);
    } finally {
      await output.close();
    }
  }
}

/** Whether the server's process is running. */
export function isRunning({ pid }: Postmaster): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Stops a server by a fast shutdown: it closes the connections and writes all committed data to disk. If that takes
 * longer than a minute, ends the server without writing. A server whose cluster was removed (`isOrphan`) cannot write,
 * so it is ended immediately. Resolves when the process has ended. Throws an OperatorError if it does not end.
 */
export async function stopPostmaster(
  postmaster: Postmaster,
  clusterDir: string,
  { isOrphan = false }: { isOrphan?: boolean } = {},
): Promise<void> {
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
    // ESRCH: the process has already ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function launch(
  cluster: Cluster,
  { socketDir, port }: Socket,
  {
    deadPid,
    output,
    settings: extraSettings,
  }: { deadPid: number | undefined; output: number; settings: Record<string, string> },
): ChildProcess {
  const settings = {
    ...serverSettings(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)),
    port: String(port),
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    ...extraSettings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(cluster.programsDir, "bin/postgres"), ["-D", cluster.dir, ...args], {
    ...cluster.account,
    detached: true,
    cwd: "/",
    // PostgreSQL refuses to start if a process with the id in its old pid file is running. In a restarted container
    // that may be another program. PostgreSQL ignores the id if this variable names it as an ancestor.
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
  let lastLogMs = startMs;
  while (performance.now() - startMs < timeoutMs) {
    await sleep(pollMs);
    if (failure !== undefined) throw failure;
    const postmaster = await readPidFile(clusterDir);
    if (postmaster?.ready && postmaster.pid === child.pid) return postmaster;
    if (performance.now() - lastLogMs < 10_000) continue;
    lastLogMs = performance.now();
    log("PostgreSQL is still starting: it replays its log, as it does after a crash and in a restore.");
  }
  child.kill("SIGQUIT");
  throw new Error(`It was not ready after ${timeoutMs / 60_000} minutes.`);
}

// Lines of the file: pid, data folder, start time, port, socket folder, listen address, shared memory, status.
async function readPidFile(clusterDir: string): Promise<Postmaster | undefined> {
  const lines = (await readFile(join(clusterDir, pidFile), "utf8").catch(() => "")).split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid < 1) return undefined;
  return { pid, port: Number(lines[3]), socketDir: lines[4] ?? "", ready: lines[7]?.trim() === "ready" };
}

/** Whether the process is the server of the cluster, and not another program that got the id of a dead server. */
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

/** Whether the process is exiting: its command line is already empty, and it is not yet a zombie. */
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

/**
 * After a kill or a power cut, removes the socket of the server that the pid file names, and returns that server.
 * Removes a pid file that names none.
 */
async function clearAfterKill(clusterDir: string): Promise<Postmaster | undefined> {
  const dead = await readPidFile(clusterDir);
  if (dead !== undefined) await clearSocket(dead);
  // PostgreSQL overwrites the pid file of a dead server, but does not start with an empty pid file.
  else await rm(join(clusterDir, pidFile), { force: true });
  return dead;
}

/**
 * Chooses the socket of a new server. After a server that stopped unexpectedly, reuses its socket, so that its clients
 * can reconnect. Otherwise chooses a new socket: a server whose folder was removed deletes its socket by path when it
 * ends, and would delete the socket of a new server at the same path.
 */
async function chooseSocket(cluster: Cluster, reusable: Socket | undefined): Promise<Socket> {
  const port = randomInt(1024, 65_536);
  if (Buffer.byteLength(join(cluster.dir, `${socketPrefix}65535`)) <= socketPathBytes)
    return { socketDir: cluster.dir, port: reusable?.socketDir === cluster.dir ? reusable.port : port };
  const socket = (await remakeSocketDir(reusable)) ?? { socketDir: await mkdtemp(privateSocketDir), port };
  if (cluster.account !== undefined) await chown(socket.socketDir, cluster.account.uid, cluster.account.gid);
  return socket;
}

/** Creates the folder of a previous socket again. Undefined if there was no such folder, or if the path exists. */
async function remakeSocketDir(dead: Socket | undefined): Promise<Socket | undefined> {
  if (!dead?.socketDir.startsWith(privateSocketDir)) return undefined;
  const { socketDir, port } = dead;
  return mkdir(socketDir, { mode: 0o700 })
    .then(() => ({ socketDir, port }))
    .catch(() => undefined);
}

/** Removes the socket of a killed server, and the socket's folder if it is outside the cluster. */
async function clearSocket({ socketDir, port }: Socket): Promise<void> {
  for (const suffix of ["", ".lock"]) await rm(join(socketDir, `${socketPrefix}${port}${suffix}`), { force: true });
  if (socketDir.startsWith(privateSocketDir)) await rmdir(socketDir).catch(() => {});
}

/** Opens the server's log for appending. A log larger than `logBytes` is first renamed to `postgres.log.1`. */
async function openLog(cluster: Cluster) {
  const file = join(cluster.dir, "postgres.log");
  let startBytes = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (startBytes > logBytes) {
    await rename(file, `${file}.1`);
    startBytes = 0;
  }
  // O_NOFOLLOW: the owner of the folder must not make root append to another file by a link.
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
