import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { shellWord } from "@beatmarket/foundation/text/shell-word.ts";
import { type Account, canEnter, chooseAccount } from "./postgres/account.ts";
import { clusterFailure } from "./postgres/failure.ts";
import { initialize } from "./postgres/initdb.ts";
import { type ProgramsPackage, previousMajor, removeOtherVersions, stagePrograms } from "./postgres/programs.ts";
import { finishSwitch, isInSwitch, isThere } from "./upgrade/switch.ts";

/** A PostgreSQL data folder and what runs it. */
export interface Cluster {
  /** Real path, without symbolic links. */
  dir: string;
  account: Account;
  /** The staged programs, beside the cluster. */
  programsDir: string;
}

/** Where clusters live when PostgreSQL's account cannot enter their data folder. */
const systemDir = "/var/lib/beatmarket";
const unfinishedPrefix = "postgres.new-";

/**
 * Finds the cluster of a data folder, or makes it. It is `dataDir/postgres`: the cluster itself, or a symbolic link
 * to `/var/lib/beatmarket/<random id>` where PostgreSQL's account cannot enter the data folder. Since the link goes
 * with the data folder, a removed one never brings old data back. The caller holds the data folder's cluster lock.
 */
export async function openCluster(
  dataDir: string,
  source: ProgramsPackage,
  log: (text: string) => void,
): Promise<Cluster> {
  await finishSwitch(dataDir);
  const existing = await findCluster(dataDir);
  const account = await chooseAccount(dataDir, existing);
  if (existing === undefined) return createEmptyCluster(dataDir, "postgres", source, account, log);
  requireMajor(dataDir, existing, await readMajor(existing, account), source);
  return { dir: existing, account, programsDir: await stage(source, existing) };
}

/** Whether a data folder has a database, whatever its state. */
export const hasCluster = async (dataDir: string): Promise<boolean> =>
  (await isThere(join(dataDir, "postgres"))) || (await isInSwitch(dataDir));

/** The number that PostgreSQL gave the cluster when it was made; undefined when the cluster is gone. */
export async function readSystemIdentifier(dir: string): Promise<bigint | undefined> {
  const control = await readFile(join(dir, "global/pg_control")).catch(() => undefined);
  return control?.readBigUInt64LE();
}

const firstClusterFile = "first-cluster";

/** The system identifier of the cluster with which a database began; null where this is that cluster. */
export async function readFirstCluster(dir: string): Promise<string | null> {
  return readFile(join(dir, firstClusterFile), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** Notes in a cluster with which one its database began, so that the vault of that one is known to be its own. */
export async function noteFirstCluster({ dir, account }: Cluster, identifier: string): Promise<void> {
  const path = join(dir, firstClusterFile);
  await writeFile(path, identifier, { mode: 0o600 });
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

/** Removes the programs of earlier releases, unless other clusters may run on them. Nothing may run on this one. */
export async function removeOldPrograms({ dir, programsDir }: Cluster): Promise<void> {
  if (dirname(dir) !== systemDir) await removeOtherVersions(programsDir);
}

/** The real path of the data folder's cluster; undefined when there is none. */
export async function findCluster(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, "postgres");
  try {
    await lstat(path);
  } catch {
    return undefined;
  }
  try {
    return await realpath(path);
  } catch (cause) {
    const place = await readlink(path).catch(() => path);
    throw new OperatorError(
      `The database of DATA_DIR ${dataDir} was in ${place}, which is gone. Restore that folder, or remove ${path} to start with an empty database.`,
      { cause },
    );
  }
}

/**
 * The major version of a cluster that the account can reach. Throws an OperatorError that says what keeps it from being
 * one.
 */
export async function readMajor(dir: string, account: Account): Promise<number> {
  if (account !== undefined && !canEnter(account, dir))
    throw new OperatorError(
      `The database in ${dir} belongs to user ${account.uid}, who cannot enter a folder above it. Let that user pass: chmod o+x on each of those folders.`,
    );
  try {
    return Number.parseInt(await readFile(join(dir, "PG_VERSION"), "utf8"), 10);
  } catch (cause) {
    throw new OperatorError(
      `${dir} cannot be read as a PostgreSQL database (${cause instanceof Error ? cause.message : cause}). Run as the account that owns it, or as root; to start with an empty database, move the folder away.`,
      { cause },
    );
  }
}

function requireMajor(dataDir: string, dir: string, major: number, source: ProgramsPackage): void {
  if (major === source.major) return;
  throw new OperatorError(
    major === previousMajor
      ? `The database in ${dir} was made by PostgreSQL ${major}; this program brings ${source.major}. Stop what uses this DATA_DIR, then run: DATA_DIR=${shellWord(dataDir)} npx beatmarket upgrade`
      : otherMajor(dir, major, source),
  );
}

/** The error for a cluster that this program can neither serve nor upgrade. */
export const otherMajor = (dir: string, major: number, source: ProgramsPackage): string =>
  major > source.major
    ? `The database in ${dir} was made by PostgreSQL ${major}; this program brings ${source.major}. Run the release that made it, or a later one.`
    : `The database in ${dir} was made by PostgreSQL ${major}; this program upgrades from ${previousMajor} to ${source.major} only. Upgrade with the releases between first, one major version after the other.`;

/** Makes a cluster without data at `dataDir/name`, all or nothing. The caller holds the data folder's cluster lock. */
export const createEmptyCluster = (
  dataDir: string,
  name: string,
  source: ProgramsPackage,
  account: Account,
  log: (text: string) => void,
): Promise<Cluster> =>
  createCluster(dataDir, name, source, account, ({ dir, programsDir }) => {
    log(`Creating the database in ${dirname(dir) === dataDir ? join(dataDir, name) : dir}.`);
    return initialize(dir, account, programsDir);
  });

/**
 * Makes a cluster at `dataDir/name`, all or nothing. `fill` gets it with an empty folder, of the account that it is to run as. The
 * caller holds the data folder's cluster lock.
 */
export async function createCluster(
  dataDir: string,
  name: string,
  source: ProgramsPackage,
  account: Account,
  fill: (cluster: Cluster) => Promise<void>,
): Promise<Cluster> {
  const finished = join(dataDir, name);
  // Each attempt has a name of its own, since what it started may outlive the process that was killed over it.
  const unfinished = join(dataDir, `${unfinishedPrefix}${randomBytes(4).toString("hex")}`);
  try {
    for (const cluster of await unfinishedClusters(dataDir)) await discard(cluster).catch(() => {});
    const dir =
      account === undefined || canEnter(account, dataDir)
        ? await makeHere(unfinished, account)
        : await makeInSystemDir(unfinished, account);
    const programsDir = await stage(source, dir);
    await fill({ dir, account, programsDir });
    await rename(unfinished, finished);
    return { dir: await realpath(finished), account, programsDir };
  } catch (error) {
    await discard(unfinished).catch(() => {});
    throw error instanceof OperatorError ? error : clusterFailure(`The database in ${finished} cannot be made`, error);
  }
}

/** What attempts to make a cluster have left in a data folder, by their paths. */
export async function unfinishedClusters(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir);
  return names.filter((name) => name.startsWith(unfinishedPrefix)).map((name) => join(dataDir, name));
}

/** Removes the cluster of a data folder, on which nothing may run. */
export const removeCluster = (dataDir: string): Promise<void> => discard(join(dataDir, "postgres"));

async function makeHere(path: string, account: Account): Promise<string> {
  await makePrivate(path, account);
  return path;
}

async function makeInSystemDir(link: string, account: Account): Promise<string> {
  await mkdir(systemDir, { recursive: true });
  await chmod(systemDir, 0o755);
  if (!canEnter(account, systemDir))
    throw new OperatorError(
      `PostgreSQL's account (user ${account?.uid}) can enter neither ${dirname(link)} nor ${systemDir}. Let it pass to one of them: chmod o+x on the folder and those above it.`,
    );
  const dir = join(systemDir, randomBytes(8).toString("hex"));
  await makePrivate(dir, account);
  await symlink(dir, link);
  return dir;
}

async function makePrivate(dir: string, account: Account): Promise<void> {
  await mkdir(dir, { mode: 0o700 });
  if (account !== undefined) await chown(dir, account.uid, account.gid);
}

/** Removes a cluster, or what a creation that was cut short has left, while the last of it may still be writing. */
export async function discard(unfinished: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  const target = await readlink(unfinished).catch(() => undefined);
  if (target !== undefined && dirname(target) === systemDir) await rm(target, options);
  await rm(unfinished, options);
}

/** Puts a copy of the programs beside a cluster, and returns its folder. */
export async function stage(source: ProgramsPackage, clusterDir: string): Promise<string> {
  const parent = dirname(clusterDir);
  try {
    return await stagePrograms(source, parent);
  } catch (cause) {
    throw clusterFailure(`PostgreSQL's programs cannot be copied to ${parent}`, cause);
  }
}
