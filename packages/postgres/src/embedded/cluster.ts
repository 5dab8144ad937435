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

/** A PostgreSQL data folder, with the account and the programs that run it. */
export interface Cluster {
  /** The real path, without symbolic links. */
  dir: string;
  account: Account;
  /** The copy of PostgreSQL's programs, next to the cluster. */
  programsDir: string;
}

/** The parent of clusters whose data folder PostgreSQL's account cannot enter. */
const systemDir = "/var/lib/beatmarket";
const unfinishedPrefix = "postgres.new-";

/**
 * Opens the cluster of a data folder, or creates it. Its path is `dataDir/postgres`: the cluster itself, or a symbolic
 * link to `/var/lib/beatmarket/<random id>` if PostgreSQL's account cannot enter the data folder. The link is removed
 * together with the data folder, so that a new data folder never gets old data. The caller holds the cluster lock.
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

/** Whether a data folder has a database, in any state. */
export const hasCluster = async (dataDir: string): Promise<boolean> =>
  (await isThere(join(dataDir, "postgres"))) || (await isInSwitch(dataDir));

/** The cluster's system identifier, which initdb assigned. Undefined if the cluster was removed. */
export async function readSystemIdentifier(dir: string): Promise<bigint | undefined> {
  const control = await readFile(join(dir, "global/pg_control")).catch(() => undefined);
  return control?.readBigUInt64LE();
}

const firstClusterFile = "first-cluster";

/** The system identifier of the first cluster of a database, before any upgrade. Null if this is the first cluster. */
export async function readFirstCluster(dir: string): Promise<string | null> {
  return readFile(join(dir, firstClusterFile), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/**
 * Stores the identifier of the first cluster of the database. The identifier proves that the database owns its backup
 * vault.
 */
export async function writeFirstCluster({ dir, account }: Cluster, identifier: string): Promise<void> {
  const path = join(dir, firstClusterFile);
  await writeFile(path, identifier, { mode: 0o600 });
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

/**
 * Removes the programs of earlier releases, unless other clusters may use them. The server of this cluster must be
 * stopped.
 */
export async function removeOldPrograms({ dir, programsDir }: Cluster): Promise<void> {
  if (dirname(dir) !== systemDir) await removeOtherVersions(programsDir);
}

/** The real path of the data folder's cluster. Undefined if there is none. */
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
    const target = await readlink(path).catch(() => path);
    throw new OperatorError(
      `The database of DATA_DIR ${dataDir} was in ${target}, which is gone. Restore that folder, or remove ${path} to start with an empty database.`,
      { cause },
    );
  }
}

/**
 * The major version of a cluster. Throws an OperatorError with the reason if the account cannot enter the folder, or if
 * it is not a cluster.
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
      : unsupportedMajor(dir, major, source),
  );
}

/** The message for a cluster that this program can neither serve nor upgrade. */
export const unsupportedMajor = (dir: string, major: number, source: ProgramsPackage): string =>
  major > source.major
    ? `The database in ${dir} was made by PostgreSQL ${major}; this program brings ${source.major}. Run the release that made it, or a later one.`
    : `The database in ${dir} was made by PostgreSQL ${major}; this program upgrades from ${previousMajor} to ${source.major} only. Upgrade with the releases between first, one major version after the other.`;

/** Creates an empty cluster at `dataDir/name`, atomically. The caller holds the cluster lock of the data folder. */
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
 * Creates a cluster at `dataDir/name`, atomically. `fill` fills the cluster's empty folder, which belongs to the
 * account that will run the server. The caller holds the cluster lock of the data folder.
 */
export async function createCluster(
  dataDir: string,
  name: string,
  source: ProgramsPackage,
  account: Account,
  fill: (cluster: Cluster) => Promise<void>,
): Promise<Cluster> {
  const path = join(dataDir, name);
  // Each attempt has a random name: a program that a killed attempt started may still be writing into its folder.
  const draft = join(dataDir, `${unfinishedPrefix}${randomBytes(4).toString("hex")}`);
  try {
    for (const cluster of await unfinishedClusters(dataDir)) await discard(cluster).catch(() => {});
    const dir =
      account === undefined || canEnter(account, dataDir)
        ? await createInDataDir(draft, account)
        : await createInSystemDir(draft, account);
    const programsDir = await stage(source, dir);
    await fill({ dir, account, programsDir });
    await rename(draft, path);
    return { dir: await realpath(path), account, programsDir };
  } catch (error) {
    await discard(draft).catch(() => {});
    throw error instanceof OperatorError ? error : clusterFailure(`The database in ${path} cannot be created`, error);
  }
}

/** The paths of clusters in a data folder whose creation was interrupted. */
export async function unfinishedClusters(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir);
  return names.filter((name) => name.startsWith(unfinishedPrefix)).map((name) => join(dataDir, name));
}

/** Removes the cluster of a data folder. Its server must be stopped. */
export const removeCluster = (dataDir: string): Promise<void> => discard(join(dataDir, "postgres"));

async function createInDataDir(path: string, account: Account): Promise<string> {
  await makePrivateFolder(path, account);
  return path;
}

async function createInSystemDir(link: string, account: Account): Promise<string> {
  await mkdir(systemDir, { recursive: true });
  await chmod(systemDir, 0o755);
  if (!canEnter(account, systemDir))
    throw new OperatorError(
      `PostgreSQL's account (user ${account?.uid}) can enter neither ${dirname(link)} nor ${systemDir}. Let it pass to one of them: chmod o+x on the folder and those above it.`,
    );
  const dir = join(systemDir, randomBytes(8).toString("hex"));
  await makePrivateFolder(dir, account);
  await symlink(dir, link);
  return dir;
}

async function makePrivateFolder(dir: string, account: Account): Promise<void> {
  await mkdir(dir, { mode: 0o700 });
  if (account !== undefined) await chown(dir, account.uid, account.gid);
}

/** Removes a cluster. It may be unfinished, and a program may still be writing into it. */
export async function discard(path: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined && dirname(target) === systemDir) await rm(target, options);
  await rm(path, options);
}

/** Copies PostgreSQL's programs next to a cluster. Returns the folder of the copy. */
export async function stage(source: ProgramsPackage, clusterDir: string): Promise<string> {
  const parent = dirname(clusterDir);
  try {
    return await stagePrograms(source, parent);
  } catch (cause) {
    throw clusterFailure(`PostgreSQL's programs cannot be copied to ${parent}`, cause);
  }
}
