import { realpath, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

import { claimDataDir } from "../claim.ts";
import {
  type Cluster,
  createEmptyCluster,
  discard,
  findCluster,
  hasCluster,
  readFirstCluster,
  readMajor,
  readSystemIdentifier,
  stage,
  unsupportedMajor,
  writeFirstCluster,
} from "../cluster.ts";
import { dataDirLock } from "../data-dir.ts";
import type { FileLock } from "../file-lock.ts";
import { chooseAccount } from "../postgres/account.ts";
import { clusterFailure } from "../postgres/failure.ts";
import { findPostmaster, type Postmaster, startPostmaster, stopPostmaster } from "../postgres/postmaster.ts";
import { findPackage, findPreviousPackage, type ProgramsPackage, previousMajor } from "../postgres/programs.ts";
import { acceptsConnections } from "../readiness.ts";
import { requireRestored } from "../restore-marker.ts";
import { type CopyOptions, type CopyResult, copyDatabase, withEnds } from "./copy-database.ts";
import { copyRolesAndSettings } from "./roles-and-settings.ts";
import { finishSwitch, isThere, nextName, previousName, switchClusters } from "./switch.ts";

export interface UpgradeOptions extends CopyOptions {
  /** Gets a line for each step that takes a while. */
  log: (text: string) => void;
  /** The free bytes of the file system of a folder. Tests replace it. */
  freeBytes?: (dir: string) => Promise<number>;
}

export interface UpgradeResult {
  /** Major versions. Equal if there was nothing to do. */
  from: number;
  to: number;
  /** Null if nothing was copied. */
  copied: CopyResult | null;
  /** The path of the old cluster. Null if there is none. */
  previous: string | null;
}

const lockTimeoutMs = 5_000;
const acceptTimeoutMs = 60_000;
const pollMs = 25;
const megabyte = 1024 * 1024;
// The size of a new cluster in addition to its rows: programs and system catalogs, and write-ahead log
// (`max_wal_size`).
const baseBytes = 400 * megabyte;
const walBytes = 4096 * megabyte;

/**
 * Upgrades the embedded database of a data folder to the current major version: copies it into a new cluster, checks
 * the copy, and replaces the old cluster, which is kept under another name. Only reads the old cluster, so that a kill
 * at any time loses only the copy; the next call copies again. Does nothing if the database has the current version.
 * Throws an OperatorError with the remedy.
 */
export async function upgradeEmbedded(dataDir: string, options: UpgradeOptions): Promise<UpgradeResult> {
  const folder = await requireDatabase(dataDir);
  const source = await findPackage();
  return whileUnused(folder, async () => {
    await finishSwitch(folder);
    const dir = (await findCluster(folder)) as string;
    const account = await chooseAccount(folder, dir);
    const major = await readMajor(dir, account);
    const previous = (await isThere(join(folder, previousName))) ? join(folder, previousName) : null;
    if (major === source.major) return { from: major, to: major, copied: null, previous };
    if (major !== previousMajor) throw new OperatorError(unsupportedMajor(dir, major, source));
    if (previous !== null)
      throw new OperatorError(
        `The database of an earlier upgrade is still kept in ${previous}. Remove it with \`beatmarket upgrade --discard-old\`, then upgrade.`,
      );
    const previousPackage = await findPreviousPackage();
    if (await removeUnfinished(folder))
      options.log("An earlier upgrade was cut short; nothing of the old database was lost, and the copy begins again.");
    const old = { dir, account, programsDir: await stage(previousPackage, dir) };
    const copied = await copyCluster(folder, old, source, options);
    await switchClusters(folder);
    return { from: major, to: source.major, copied, previous: join(folder, previousName) };
  });
}

/**
 * Removes the old cluster that an upgrade has kept, after `confirm` has resolved. Returns its path. Throws an
 * OperatorError if there is no old cluster.
 */
export async function discardOld(dataDir: string, confirm: () => Promise<void>): Promise<string> {
  const folder = await requireDatabase(dataDir);
  const previous = join(folder, previousName);
  const clusterLock = await lockCluster(folder);
  try {
    await finishSwitch(folder);
    if (!(await isThere(previous)))
      throw new OperatorError(`DATA_DIR ${folder} keeps no old database: there is no ${previous}.`);
    await confirm();
    await discard(previous);
    return previous;
  } finally {
    clusterLock.close();
  }
}

/** The path of a data folder with a database. Throws an OperatorError if it has none, or an unfinished restore. */
async function requireDatabase(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  await requireRestored(folder);
  if (await hasCluster(folder)) return folder;
  throw new OperatorError(`DATA_DIR ${folder} has no database. Set DATA_DIR to that of your service.`);
}

/** Runs the work while no other process uses the data folder. Throws an OperatorError if one does. */
async function whileUnused<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const claim = await claimDataDir(folder, "Stop it, upgrade, and start it again.");
  const locks: FileLock[] = [];
  try {
    locks.push(await lockCluster(folder));
    const openersLock = dataDirLock(folder, "openers");
    locks.push(openersLock);
    if (!openersLock.tryExclusive()) throw inUse(folder);
    return await work();
  } finally {
    for (const lock of locks.reverse()) lock.close();
    await claim.release();
  }
}

/** Takes the lock for starting and stopping the server. */
async function lockCluster(folder: string): Promise<FileLock> {
  const clusterLock = dataDirLock(folder, "cluster");
  if (await clusterLock.exclusive(lockTimeoutMs)) return clusterLock;
  clusterLock.close();
  throw inUse(folder);
}

const inUse = (folder: string): OperatorError =>
  new OperatorError(
    `Another process uses the database of DATA_DIR ${folder}, such as a worker or a command. Stop it, or let it end, then try again.`,
  );

/** Removes the copy of an interrupted upgrade. Returns false if there is none. */
async function removeUnfinished(folder: string): Promise<boolean> {
  const next = join(folder, nextName);
  if (!(await isThere(next))) return false;
  const dir = await realpath(next).catch(() => next);
  const orphan = await findPostmaster(dir);
  if (orphan !== undefined) await stopPostmaster(orphan, dir);
  await discard(next);
  return true;
}

async function copyCluster(
  folder: string,
  old: Cluster,
  source: ProgramsPackage,
  options: UpgradeOptions,
): Promise<CopyResult> {
  const runningServers: { cluster: Cluster; server: Postmaster }[] = [];
  const run = async (cluster: Cluster): Promise<Postmaster> => {
    const server = await start(cluster, options.log);
    runningServers.push({ cluster, server });
    return server;
  };
  const stopAll = async (): Promise<void> => {
    for (const { cluster, server } of runningServers.splice(0)) await stopPostmaster(server, cluster.dir);
  };
  try {
    options.log(`Starting PostgreSQL ${previousMajor} on ${old.dir}.`);
    const oldServer = await run(old);
    const fresh = await createEmptyCluster(folder, nextName, source, old.account, options.log);
    await writeFirstCluster(fresh, await firstClusterOf(old));
    let server = await run(fresh);
    const restarts = await withEnds({ old: oldServer, fresh: server }, async (ends) => {
      await requireSpace(fresh.dir, ends.old, options);
      return copyRolesAndSettings(ends);
    });
    if (restarts) {
      await stopPostmaster((runningServers.pop() as { server: Postmaster }).server, fresh.dir);
      server = await run(fresh);
    }
    const copied = await withEnds({ old: oldServer, fresh: server }, (ends) => copyDatabase(ends, server, options));
    // A stopped server has written everything to disk.
    await stopAll();
    return copied;
  } catch (error) {
    await stopAll().catch(() => {});
    await discard(join(folder, nextName)).catch(() => {});
    if (options.signal.aborted) throw new OperatorError("Stopped before the end; the old database is as it was.");
    throw error instanceof OperatorError
      ? new OperatorError(`${error.message}\nThe old database is as it was.`, { cause: error })
      : clusterFailure("The database cannot be copied, and is as it was", error);
  }
}

async function firstClusterOf({ dir }: Cluster): Promise<string> {
  return (await readFirstCluster(dir)) ?? String(await readSystemIdentifier(dir));
}

/** Starts a cluster's server. First stops a server that is still running because the processes using it were killed. */
async function start(cluster: Cluster, log: (text: string) => void): Promise<Postmaster> {
  const orphan = await findPostmaster(cluster.dir);
  if (orphan !== undefined) await stopPostmaster(orphan, cluster.dir);
  const server = await startPostmaster(cluster, log);
  const deadlineMs = performance.now() + acceptTimeoutMs;
  while (!(await acceptsConnections(server))) {
    if (performance.now() > deadlineMs) {
      await stopPostmaster(server, cluster.dir);
      throw new OperatorError(`PostgreSQL runs on ${cluster.dir} but accepts no connections.`);
    }
    await sleep(pollMs);
  }
  return server;
}

async function requireSpace(
  dir: string,
  old: { query(text: string): Promise<{ rows: { bytes: number }[] }> },
  { freeBytes = bytesFreeAt }: UpgradeOptions,
): Promise<void> {
  const { rows } = await old.query("select pg_database_size(current_database()) as bytes");
  const bytes = rows[0]?.bytes ?? 0;
  const requiredBytes = bytes + Math.min(bytes, walBytes) + baseBytes;
  const free = await freeBytes(dirname(dir));
  if (free < requiredBytes)
    throw new OperatorError(
      `The copy needs ${inMegabytes(requiredBytes)} in addition to the old database, and ${dirname(dir)} has ${inMegabytes(free)} free. Free some space, or move DATA_DIR to a larger disk, then upgrade again.`,
    );
}

async function bytesFreeAt(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / megabyte).toLocaleString("en")} MB`;
