import { realpath, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { admits } from "../admission.ts";
import { claimDataDir } from "../claim.ts";
import {
  type Cluster,
  createEmptyCluster,
  discard,
  findCluster,
  hasCluster,
  noteFirstCluster,
  otherMajor,
  readFirstCluster,
  readMajor,
  readSystemIdentifier,
  stage,
} from "../cluster.ts";
import { dataDirLock } from "../data-dir.ts";
import type { FileLock } from "../file-lock.ts";
import { chooseAccount } from "../postgres/account.ts";
import { clusterFailure } from "../postgres/failure.ts";
import { findPostmaster, type Postmaster, startPostmaster, stopPostmaster } from "../postgres/postmaster.ts";
import { findPackage, findPreviousPackage, type ProgramsPackage, previousMajor } from "../postgres/programs.ts";
import { requireRestored } from "../restore-marker.ts";
import { type Copied, type CopyOptions, copyDatabase, withEnds } from "./copy-database.ts";
import { copyRolesAndSettings } from "./roles-and-settings.ts";
import { finishSwitch, isThere, nextName, previousName, switchClusters } from "./switch.ts";

export interface UpgradeOptions extends CopyOptions {
  /** Gets a line for each thing that takes a while. */
  log: (text: string) => void;
  /** Free bytes of the file system that a folder is in. */
  freeBytes?: (dir: string) => Promise<number>;
}

export interface Upgraded {
  /** Major versions; alike when there was nothing to do. */
  from: number;
  to: number;
  /** What was copied; null when nothing was. */
  copied: Copied | null;
  /** The kept cluster; null when there is none. */
  previous: string | null;
}

const turnTimeoutMs = 5_000;
const admitTimeoutMs = 60_000;
const pollMs = 25;
const megabyte = 1024 * 1024;
/** Of the new cluster beside its rows: its programs, its catalogs, and write-ahead log (`max_wal_size`) to begin with. */
const baseBytes = 400 * megabyte;
const walBytes = 4096 * megabyte;

/**
 * Copies the embedded database of a data folder into a new cluster of the present major version, checks the copy, and
 * puts it into the place of the old one, which is kept. The old one is only read, so a kill at any moment costs no more
 * than the copy, which the next call begins again. Does nothing when the database is of the present version. Throws an
 * OperatorError that says what to do.
 */
export async function upgradeEmbedded(dataDir: string, options: UpgradeOptions): Promise<Upgraded> {
  const folder = await existing(dataDir);
  const source = await findPackage();
  return alone(folder, async () => {
    await finishSwitch(folder);
    const dir = (await findCluster(folder)) as string;
    const account = await chooseAccount(folder, dir);
    const major = await readMajor(dir, account);
    const kept = (await isThere(join(folder, previousName))) ? join(folder, previousName) : null;
    if (major === source.major) return { from: major, to: major, copied: null, previous: kept };
    if (major !== previousMajor) throw new OperatorError(otherMajor(dir, major, source));
    if (kept !== null)
      throw new OperatorError(
        `The database of an earlier upgrade is still kept in ${kept}. Remove it with \`beatmarket upgrade --discard-old\`, then upgrade.`,
      );
    const previous = await findPreviousPackage();
    if (await removeUnfinished(folder))
      options.log("An earlier upgrade was cut short; nothing of the old database was lost, and the copy begins again.");
    const old = { dir, account, programsDir: await stage(previous, dir) };
    const copied = await copyCluster(folder, old, source, options);
    await switchClusters(folder);
    return { from: major, to: source.major, copied, previous: join(folder, previousName) };
  });
}

/**
 * Removes the cluster that an upgrade has kept, and returns where it was. Throws an OperatorError if there is none, else what `confirm`
 * throws.
 */
export async function discardOld(dataDir: string, confirm: () => Promise<void>): Promise<string> {
  const folder = await existing(dataDir);
  const kept = join(folder, previousName);
  const turn = await takeTurn(folder);
  try {
    await finishSwitch(folder);
    if (!(await isThere(kept)))
      throw new OperatorError(`DATA_DIR ${folder} keeps no old database: there is no ${kept}.`);
    await confirm();
    await discard(kept);
    return kept;
  } finally {
    turn.close();
  }
}

async function existing(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  await requireRestored(folder);
  if (await hasCluster(folder)) return folder;
  throw new OperatorError(`DATA_DIR ${folder} has no database. Set DATA_DIR to that of your service.`);
}

/** Runs the work while no other process uses the data folder. */
async function alone<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const claim = await claimDataDir(folder, "Stop it, upgrade, and start it again.");
  const locks: FileLock[] = [];
  try {
    locks.push(await takeTurn(folder));
    const openers = dataDirLock(folder, "openers");
    locks.push(openers);
    if (!openers.tryExclusive()) throw inUse(folder);
    return await work();
  } finally {
    for (const lock of locks.reverse()) lock.close();
    await claim.release();
  }
}

/** Takes the lock of those who start and stop servers. */
async function takeTurn(folder: string): Promise<FileLock> {
  const turn = dataDirLock(folder, "cluster");
  if (await turn.exclusive(turnTimeoutMs)) return turn;
  turn.close();
  throw inUse(folder);
}

const inUse = (folder: string): OperatorError =>
  new OperatorError(
    `Another process uses the database of DATA_DIR ${folder}, such as a worker or a command. Stop it, or let it end, then try again.`,
  );

/** Removes what an upgrade that was cut short has left; false if there is nothing. */
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
): Promise<Copied> {
  const started: { cluster: Cluster; server: Postmaster }[] = [];
  const run = async (cluster: Cluster): Promise<Postmaster> => {
    const server = await start(cluster, options.log);
    started.push({ cluster, server });
    return server;
  };
  const stopAll = async (): Promise<void> => {
    for (const { cluster, server } of started.splice(0)) await stopPostmaster(server, cluster.dir);
  };
  try {
    options.log(`Starting PostgreSQL ${previousMajor} on ${old.dir}.`);
    const oldServer = await run(old);
    const fresh = await createEmptyCluster(folder, nextName, source, old.account, options.log);
    await noteFirstCluster(fresh, await firstClusterOf(old));
    let server = await run(fresh);
    const restarts = await withEnds({ old: oldServer, fresh: server }, async (ends) => {
      await requireSpace(fresh.dir, ends.old, options);
      return copyRolesAndSettings(ends);
    });
    if (restarts) {
      await stopPostmaster((started.pop() as { server: Postmaster }).server, fresh.dir);
      server = await run(fresh);
    }
    const copied = await withEnds({ old: oldServer, fresh: server }, (ends) => copyDatabase(ends, server, options));
    // Everything is on disk when they have ended.
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

/** Starts a cluster's server, after one that killed processes have left running was stopped. */
async function start(cluster: Cluster, log: (text: string) => void): Promise<Postmaster> {
  const orphan = await findPostmaster(cluster.dir);
  if (orphan !== undefined) await stopPostmaster(orphan, cluster.dir);
  const server = await startPostmaster(cluster, log);
  const deadlineMs = performance.now() + admitTimeoutMs;
  while (!(await admits(server))) {
    if (performance.now() > deadlineMs) {
      await stopPostmaster(server, cluster.dir);
      throw new OperatorError(`PostgreSQL runs on ${cluster.dir} but admits nobody.`);
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
  const needed = bytes + Math.min(bytes, walBytes) + baseBytes;
  const free = await freeBytes(dirname(dir));
  if (free < needed)
    throw new OperatorError(
      `The copy needs ${inMegabytes(needed)} beside the old database, and ${dirname(dir)} has ${inMegabytes(free)} free. Free some space, or move DATA_DIR to a larger disk, then upgrade again.`,
    );
}

async function bytesFreeAt(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / megabyte).toLocaleString("en")} MB`;
