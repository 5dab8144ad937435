import { open, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { connect } from "@beatmarket/postgres/connection/connect.ts";
import {
  type Cluster,
  createCluster,
  removeCluster,
  unfinishedClusters,
} from "@beatmarket/postgres/embedded/cluster.ts";
import { dataDirLock } from "@beatmarket/postgres/embedded/data-dir.ts";
import { chooseAccount } from "@beatmarket/postgres/embedded/postgres/account.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import { findPostmaster, startPostmaster, stopPostmaster } from "@beatmarket/postgres/embedded/postgres/postmaster.ts";
import { findPackage } from "@beatmarket/postgres/embedded/postgres/programs.ts";
import { addressOf } from "@beatmarket/postgres/embedded/readiness.ts";
import { sql } from "kysely";
import { type Backup, type BackupList, isUnbroken, logOf } from "../backup-list.ts";
import { DamagedFile } from "../vault/sealing.ts";
import type { Vault } from "../vault/vault.ts";
import { Spool } from "../wal/spool.ts";
import { endedEarly } from "./choose-backup.ts";
import { unpack } from "./unpack.ts";
import { feedDir, restoreCommand, WalFeed } from "./wal-feed.ts";

export interface ClusterRestore {
  vault: Vault;
  backupList: BackupList;
  backup: Backup;
  /** Null for the end of the archived log. */
  at: Date | null;
  dataDir: string;
  signal: AbortSignal;
  /** `bytes` of the base backup are written first; then `segments` are replayed. */
  onProgress(progress: { bytes: number; segments: number }): void;
  log(text: string): void;
}

/** How far a recovery has replayed the log. */
export interface RecoveryEnd {
  /** The commit time of the last restored transaction; null if none was committed after the base backup. */
  lastCommitAt: Date | null;
  /** The end of the replayed log. */
  lsn: string;
}

/** The duration of a recovery depends on the length of the log, and the operator can stop it. */
const recoveryTimeoutMs = 7 * 86_400_000;

/**
 * Creates the cluster of an empty data folder from a base backup and the log after it. At the end, the cluster is in
 * `dataDir/postgres`, and stopped. Throws an OperatorError that names damaged or missing files.
 */
export async function restoreCluster(restore: ClusterRestore): Promise<RecoveryEnd> {
  const { vault, backup, dataDir } = restore;
  const { database } = backup;
  if (database === null) throw new OperatorError(`The backup ${backup.id} has no database.`);
  const source = await findPackage();
  if (source.major !== database.postgres_major)
    throw new OperatorError(
      `The backup ${backup.id} was made by PostgreSQL ${database.postgres_major}; this program brings ${source.major}. Restore it with the release that made it, then run \`beatmarket upgrade\` with this one.`,
    );
  const clusterLock = dataDirLock(dataDir, "cluster");
  if (!clusterLock.tryExclusive()) {
    clusterLock.close();
    throw new OperatorError(`Another process uses the database of DATA_DIR ${dataDir}. Stop it first.`);
  }
  let bytes = 0;
  let reached: RecoveryEnd | null = null;
  try {
    const account = await chooseAccount(dataDir, undefined);
    await createCluster(dataDir, "postgres", source, account, async (cluster) => {
      const { signal, onProgress } = restore;
      await unpack(vault, database, cluster, {
        signal,
        onProgress: (completed) => {
          bytes = completed;
          onProgress({ bytes, segments: 0 });
        },
      });
      // The recovery ends with a new timeline, whose first segments must be archived.
      await new Spool(cluster.dir).enable(null);
      reached = await recover(restore, cluster, (segments) => onProgress({ bytes, segments }));
    });
    if (reached === null) throw new Error("The recovery did not say how far it came.");
    return reached;
  } catch (error) {
    const damage = damageIn(error);
    if (damage === null) throw error;
    throw new OperatorError(
      `${damage.message} Nothing was restored. Restore an earlier backup with --at. \`beatmarket backup verify\` lists all damaged files.`,
      { cause: error },
    );
  } finally {
    clusterLock.close();
  }
}

/** The damaged file among the causes of an error; null if another cause ended the restore. */
function damageIn(error: unknown): DamagedFile | null {
  if (error instanceof DamagedFile) return error;
  return error instanceof Error && error.cause !== undefined ? damageIn(error.cause) : null;
}

/** Removes the cluster of an unfinished restore from the data folder, and stops its server. */
export async function discardRestore(dataDir: string): Promise<void> {
  for (const path of [...(await unfinishedClusters(dataDir)), join(dataDir, "postgres")]) {
    const dir = await realpath(path).catch(() => path);
    const postmaster = await findPostmaster(dir);
    if (postmaster !== undefined) await stopPostmaster(postmaster, dir, { isOrphan: true });
  }
  await removeCluster(dataDir);
}

async function recover(
  restore: ClusterRestore,
  cluster: Cluster,
  onSegments: (count: number) => void,
): Promise<RecoveryEnd> {
  const { vault, backupList, backup, at, signal, log } = restore;
  const archived = logOf(backupList, backup);
  const names = new Set([...archived.segments, ...archived.histories]);
  const feed = new WalFeed(vault, backup.database?.cluster ?? "", cluster, names);
  await feed.start();
  const watching = setInterval(() => onSegments(feed.takenCount), 200);
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
  stopped.catch(() => {});
  let reached: RecoveryEnd;
  try {
    const start = (target: Record<string, string>) => {
      const starting = startPostmaster(cluster, log, {
        settings: { ...recovery, ...target },
        timeoutMs: recoveryTimeoutMs,
      });
      starting.catch(() => {});
      return Promise.race([starting, feed.failed.promise, stopped]);
    };
    await requestRecovery(cluster);
    const target = at === null ? {} : { recovery_target_time: postgresTime(at), recovery_target_action: "promote" };
    await start(target).catch(async (error) => {
      if (at === null || !/ended before configured recovery target/.test(String(error))) throw error;
      // Nothing was committed between the end of the log and the moment, unless the log has a gap.
      if (!isUnbroken(backupList, backup)) throw endedEarly(backupList, backup, at);
      await start({});
    });
    onSegments(feed.takenCount);
    reached = await readRecoveryEnd(cluster);
  } finally {
    clearInterval(watching);
    const postmaster = await findPostmaster(cluster.dir);
    if (postmaster !== undefined) await stopPostmaster(postmaster, cluster.dir, { isOrphan: !postmaster.ready });
    await feed.stop();
  }
  await rm(join(cluster.dir, feedDir), { recursive: true });
  return reached;
}

/** Reads the result of a recovery, which PostgreSQL reports until it stops. */
async function readRecoveryEnd({ dir }: Cluster): Promise<RecoveryEnd> {
  const postmaster = await findPostmaster(dir);
  if (postmaster === undefined) throw new Error("PostgreSQL ended after its recovery.");
  const connection = connect(addressOf(postmaster, superuser), { max: 1, applicationName: "embedded backup" });
  try {
    const { rows } = await sql<RecoveryEnd>`
      select pg_last_xact_replay_timestamp() as "lastCommitAt", pg_last_wal_replay_lsn()::text as lsn`.execute(
      connection.query,
    );
    return rows[0] as RecoveryEnd;
  } finally {
    await connection.close();
  }
}

/** Formats a time for `recovery_target_time`, which does not support names of time zones. */
const postgresTime = (time: Date): string => time.toISOString().replace("T", " ").replace("Z", "+00");

const recovery = { restore_command: restoreCommand, recovery_target_timeline: "latest", hot_standby: "off" };

/** Makes PostgreSQL start with the archived log instead of its own. */
async function requestRecovery({ dir, account }: Cluster): Promise<void> {
  const signalFile = await open(join(dir, "recovery.signal"), "wx", 0o600);
  if (account !== undefined) await signalFile.chown(account.uid, account.gid);
  await signalFile.close();
}
