import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { connect, type Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { readFirstCluster, readSystemIdentifier } from "@beatmarket/postgres/embedded/cluster.ts";
import { dataDirLock } from "@beatmarket/postgres/embedded/data-dir.ts";
import type { EmbeddedServer } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { superuser } from "@beatmarket/postgres/embedded/postgres/initdb.ts";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import type { PlaceSettings } from "@beatmarket/storage/places.ts";
import { sql } from "kysely";
import { archivedLogOf, type Backup, newestBackupOf, readBackupList } from "./backup-list.ts";
import { LogCopy } from "./log-copy.ts";
import { ObjectCopier } from "./objects.ts";
import type { BackupDatabase } from "./tables.ts";
import { claimVault } from "./vault/claim-vault.ts";
import type { Source } from "./vault/identity.ts";
import type { Vault } from "./vault/vault.ts";
import { archiveTimeoutSeconds, Shipper } from "./wal/shipper.ts";
import { Spool } from "./wal/spool.ts";

export interface OpenedCluster {
  /** PostgreSQL's system identifier of the cluster. */
  identifier: string;
  dir: string;
  spool: Spool;
  superuser: Queryable;
  shipper: Shipper;
}

export interface OpenedBackup {
  vault: Vault;
  /** Whether this call sealed the data keys under a new `BACKUP_KEY`. */
  hasNewKey: boolean;
  copier: ObjectCopier;
  transparencyLog: LogCopy;
  /** The newest base backup of this cluster; null if there is no backup. */
  newest: Backup | null;
  /** Null for an external database, of which only the objects are backed up. */
  cluster: OpenedCluster | null;
  close(): Promise<void>;
}

/** The database that a service has opened. */
export interface BackedUpDatabase {
  query: Queryable;
  /** Null for an external server, which has its own backups. */
  embedded: Pick<EmbeddedServer, "dir" | "addressFor"> | null;
}

interface Parts {
  database: BackedUpDatabase;
  storage: PlaceSettings;
  /** The folder of the transparency log in the storage. */
  logFolder: string;
  vault: Vault;
  /** Whether to begin a new vault even if the database has claimed a vault at this place before. */
  mayBegin?: boolean;
  onFault(sha256: string, why: string): void;
}

/**
 * Claims the vault for a database, and opens the parts that copy into it. Throws an OperatorError if the vault belongs
 * to another database or has another key, and VaultUnavailable if it is unreachable.
 */
export async function openBackup({
  database,
  storage: place,
  logFolder,
  vault,
  mayBegin = false,
  onFault,
}: Parts): Promise<OpenedBackup> {
  const { embedded } = database;
  const db: BackupDatabase = database.query;
  const { hasNewKey } = await claimVault(db, vault, await sourceOf(database), { mayBegin });
  const storage = await openStorage(place);
  const claimed = await db.selectFrom("storage_identity").select("id").executeTakeFirst();
  if (claimed !== undefined) storage.bindTo(claimed.id);
  const copier = new ObjectCopier({ db, storage, vault, onFault });
  const transparencyLog = new LogCopy(vault, storage, logFolder);
  if (embedded === null) {
    const newest = (await readBackupList(vault)).backups.at(-1) ?? null;
    return { vault, hasNewKey, copier, transparencyLog, newest, cluster: null, close: async () => {} };
  }
  const connection = connect(embedded.addressFor(superuser), { max: 2, applicationName: "embedded backup" });
  try {
    const spool = new Spool(embedded.dir);
    const identifier = await systemIdentifier(embedded.dir);
    const backupList = await readBackupList(vault);
    const parts = { vault, cluster: identifier, spool, superuser: connection.query, copier };
    const shipper = new Shipper(parts, archivedLogOf(backupList, identifier));
    return {
      vault,
      hasNewKey,
      copier,
      transparencyLog,
      newest: newestBackupOf(backupList, identifier) ?? null,
      cluster: { identifier, dir: embedded.dir, spool, superuser: connection.query, shipper },
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Configures PostgreSQL to archive its log into the spool, for this vault. Returns whether it archived before. */
export async function startArchiving({ spool, superuser: db }: OpenedCluster, vault: Vault): Promise<boolean> {
  const timeout = `${archiveTimeoutSeconds}s`;
  const { rows } = await sql`select where current_setting('archive_timeout') <> ${timeout}`.execute(db);
  if (rows.length > 0) {
    await sql`alter system set archive_timeout = ${sql.lit(timeout)}`.execute(db);
    await sql`select pg_reload_conf()`.execute(db);
  }
  return spool.enable(vault.place);
}

/**
 * Throws an OperatorError if a service archives the log into another vault, which would then lack the segments that
 * this process takes.
 */
export async function requireOwnLog(
  { embedded }: Pick<BackedUpDatabase, "embedded">,
  dataDir: string,
  vault: Vault,
): Promise<void> {
  if (embedded === null) return;
  const archiver = dataDirLock(dataDir, "archiver");
  const isArchived = !archiver.tryExclusive();
  archiver.close();
  const archiveVault = isArchived ? await new Spool(embedded.dir).vault() : null;
  if (archiveVault !== null && archiveVault !== vault.place)
    throw new OperatorError(
      `The service archives the write-ahead log to ${archiveVault}, so a backup in ${vault.place} would lack a part of it. Back up to ${archiveVault}; for a second copy, copy that vault. To move to ${vault.place}, restart the service with that BACKUP_VAULT.`,
    );
}

/** Configures PostgreSQL to stop archiving its log. */
export async function stopArchiving({ dir, addressFor }: NonNullable<BackedUpDatabase["embedded"]>): Promise<void> {
  const spool = new Spool(dir);
  const connection = connect(addressFor(superuser), { max: 1, applicationName: "embedded backup" });
  try {
    const { rows } = await sql`select where current_setting('archive_timeout') <> '0'`.execute(connection.query);
    if (rows.length > 0) {
      await sql`alter system reset archive_timeout`.execute(connection.query);
      await sql`select pg_reload_conf()`.execute(connection.query);
    }
  } finally {
    await connection.close();
  }
  await spool.disable();
}

/**
 * The owner of a vault that this database claims. An upgrade of PostgreSQL creates another cluster, so the identifier
 * of the first cluster is used.
 */
async function sourceOf({ query, embedded }: Parts["database"]): Promise<Source> {
  if (embedded !== null) {
    const first = await readFirstCluster(embedded.dir);
    return { kind: "cluster", id: first ?? (await systemIdentifier(embedded.dir)) };
  }
  const tables: BackupDatabase = query;
  const identity = await tables.selectFrom("storage_identity").select("id").executeTakeFirst();
  if (identity === undefined)
    throw new OperatorError("This database has no storage yet. Start the service once, then make a backup.");
  return { kind: "storage", id: identity.id };
}

async function systemIdentifier(clusterDir: string): Promise<string> {
  const identifier = await readSystemIdentifier(clusterDir);
  if (identifier === undefined) throw new OperatorError(`The database in ${clusterDir} is gone.`);
  return String(identifier);
}
