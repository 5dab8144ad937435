import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { type Backup, type DatabasePart, manifestName, objectListName, packName, walName } from "../backup-list.ts";
import type { DataDirFiles } from "../data-dir-files.ts";
import { type ObjectCopier, objectRows } from "../objects.ts";
import type { OpenedCluster } from "../open-backup.ts";
import type { Vault } from "../vault/vault.ts";
import { positionOf, segmentName, timelineOf } from "../wal/segments.ts";
import type { Shipper } from "../wal/shipper.ts";
import { fileContent } from "../wal/spool.ts";
import { listDataFiles } from "./data-files.ts";
import { PageCheck } from "./page-check.ts";

/** The approximate size of the files in which the vault stores the content of the data folder. */
const packBytes = 67_108_864;

export interface BackupParts {
  vault: Vault;
  /** Connected as the service's role. */
  db: Queryable;
  copier: ObjectCopier;
  files: DataDirFiles;
  clock: Clock;
  /** Null for an external database, of which only the objects are backed up. */
  cluster: Pick<OpenedCluster, "identifier" | "dir" | "superuser" | "shipper"> | null;
}

export interface BackupOptions {
  signal: AbortSignal;
  /** `completed` and `total` are bytes of the data folder. */
  onProgress(completed: number, total: number): void;
}

/**
 * Makes a base backup of a running service. The manifest is written last, so a failed backup has none, and `prune`
 * removes its files. Throws an OperatorError, VaultUnavailable or StorageUnavailable.
 */
export async function createBackup(parts: BackupParts, options: BackupOptions): Promise<Backup> {
  const { vault, db, copier, files, clock, cluster } = parts;
  const startedAt = new Date(clock.nowMs());
  const id = `${startedAt.toISOString().replace(/[-:]|\.\d+/g, "")}`;
  const database = cluster === null ? null : await copyCluster(id, { ...parts, cluster }, options);
  const endedAt = new Date(clock.nowMs());
  await files.ship();
  await copier.copyAll(options.signal);
  let objects = 0;
  const hashes = async function* () {
    for await (const { sha256 } of objectRows(db)) {
      objects++;
      yield Buffer.from(sha256, "hex");
    }
  };
  await vault.put(objectListName(id), hashes());
  if (cluster !== null && database !== null) await requireLog(vault, cluster.shipper, database, options.signal);
  const backup: Backup = {
    id,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    database,
    objects,
    ...(files.shippedAt !== null && { data_dir_shipped_at: files.shippedAt }),
  };
  options.signal.throwIfAborted();
  await vault.putJson(manifestName(id), backup);
  if (cluster !== null && database !== null) await cluster.shipper.closeGap(database.last_segment);
  return backup;
}

async function copyCluster(
  id: string,
  { vault, cluster }: BackupParts & { cluster: NonNullable<BackupParts["cluster"]> },
  options: BackupOptions,
): Promise<DatabasePart> {
  // PostgreSQL aborts the backup if this connection ends.
  return cluster.superuser.connection().execute(async (session) => {
    const started = await startBackup(session);
    const { folders, files } = await listDataFiles(cluster.dir);
    const copiedFiles: DatabasePart["files"] = [];
    const pages = started.has_checksums ? new PageCheck(started.lsn) : null;
    const content = contentOf(cluster.dir, files, { done: copiedFiles, pages, total: started.bytes, ...options });
    const packs = await putPacks(vault, id, content);
    await cluster.shipper.observe();
    const stopped = await stopBackup(session);
    const label = Buffer.from(stopped.label);
    packs.push(
      await putPack(
        vault,
        packName(id, packs.length),
        (async function* () {
          yield label;
        })(),
      ),
    );
    copiedFiles.push({ path: "backup_label", bytes: label.length, sha256: sha256(label) });
    return {
      cluster: cluster.identifier,
      postgres_major: started.major,
      timeline: timelineOf(started.segment),
      first_segment: started.segment,
      last_segment: stopped.segment,
      stop_lsn: stopped.lsn,
      files: copiedFiles,
      folders,
      packs,
    };
  });
}

interface BackupStart {
  lsn: string;
  segment: string;
  major: number;
  has_checksums: boolean;
  bytes: number;
}

async function startBackup(session: Queryable): Promise<BackupStart> {
  const { rows } = await sql<BackupStart>`
    select lsn::text as lsn, pg_walfile_name(lsn) as segment,
      current_setting('server_version_num')::int / 10000 as major,
      current_setting('data_checksums') = 'on' as has_checksums,
      (select sum(pg_database_size(oid))::float8 from pg_database) as bytes
    from pg_backup_start('beatmarket', true) as lsn`.execute(session);
  return rows[0] as BackupStart;
}

/** Waits until PostgreSQL has archived the log that must be replayed. */
async function stopBackup(session: Queryable): Promise<{ lsn: string; segment: string; label: string }> {
  const { rows } = await sql<{ lsn: string; segment: string; label: string; tablespaces: string }>`
    select lsn::text as lsn, pg_walfile_name(lsn) as segment, labelfile as label, spcmapfile as tablespaces
    from pg_backup_stop(true)`.execute(session);
  const [stopped] = rows;
  if (stopped === undefined) throw new Error("PostgreSQL did not say where the backup ends.");
  if (stopped.tablespaces.trim() !== "")
    throw new OperatorError("The embedded database has tablespaces, which a backup cannot copy. Drop them.");
  return stopped;
}

interface ContentOptions extends BackupOptions {
  done: DatabasePart["files"];
  pages: PageCheck | null;
  total: number;
}

/** Yields the contents of the files one after another, and adds the actual size and hash of each to `done`. */
async function* contentOf(dir: string, files: string[], options: ContentOptions): AsyncGenerator<Buffer> {
  let copied = 0;
  for (const path of files) {
    const hash = createHash("sha256");
    const check = options.pages?.file(join(dir, path), path) ?? null;
    let bytes = 0;
    try {
      for await (const chunk of fileContent(join(dir, path))) {
        options.signal.throwIfAborted();
        await check?.take(chunk);
        hash.update(chunk);
        bytes += chunk.length;
        copied += chunk.length;
        options.onProgress(Math.min(copied, options.total), options.total);
        yield chunk;
      }
    } catch (error) {
      // The table was dropped during the backup; replaying the log drops it too.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      continue;
    }
    options.done.push({ path, bytes, sha256: hash.digest("hex") });
  }
}

async function putPacks(vault: Vault, id: string, content: AsyncGenerator<Buffer>): Promise<DatabasePart["packs"]> {
  const packs: DatabasePart["packs"] = [];
  try {
    let next = await content.next();
    while (next.done !== true) {
      const pack = async function* () {
        for (let bytes = 0; next.done !== true && bytes < packBytes; next = await content.next()) {
          bytes += next.value.length;
          yield next.value;
        }
      };
      packs.push(await putPack(vault, packName(id, packs.length), pack()));
    }
    return packs;
  } finally {
    // If writing a pack fails, closes the file that was being read.
    await content.return(undefined);
  }
}

async function putPack(vault: Vault, name: string, content: AsyncIterable<Buffer>) {
  let bytes = 0;
  const counted = async function* () {
    for await (const chunk of content) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  await vault.put(name, counted());
  return { name, bytes };
}

/** Ships the log that the backup needs. Throws an OperatorError if a part of it is not in the vault afterwards. */
async function requireLog(vault: Vault, shipper: Shipper, part: DatabasePart, signal: AbortSignal): Promise<void> {
  await shipper.ship(signal);
  for (let position = positionOf(part.first_segment); position <= positionOf(part.last_segment); position++) {
    const name = segmentName(part.timeline, position);
    if ((await vault.head(walName(part.cluster, name))) === null)
      throw new OperatorError(
        `The write-ahead log ${name}, which this backup needs, did not get into the vault in ${vault.place}. Either another process ships it to another vault: then give both the same BACKUP_VAULT. Or the archive spool or the disk was full: make room, then make the backup again.`,
      );
  }
}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
