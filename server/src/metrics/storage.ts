import { statfs } from "node:fs/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Queryable } from "../database/connect.ts";

export interface Disk {
  freeBytes: number;
  totalBytes: number;
}

/**
 * The disks with files of the service: the setting that names the folder, and the work that fails if the disk is full.
 */
export const disks = {
  data: { setting: "DATA_DIR", fails: "orders and calls" },
  storage: { setting: "STORAGE_URL", fails: "uploads" },
  vault: { setting: "BACKUP_VAULT", fails: "backups" },
} as const;

interface Presence {
  /** Whether the storage is present. */
  readonly isAvailable: boolean;
}

export type DiskName = keyof typeof disks;

/** The folders whose disks are measured: DATA_DIR, and the other folders in the settings. Buckets have no disk. */
export function diskFolders({
  dataDir,
  storage,
  backup: { vault },
}: Pick<Config, "dataDir" | "storage" | "backup">): Partial<Record<DiskName, string>> {
  return {
    data: dataDir,
    ...("folder" in storage && storage.isNamed && { storage: storage.folder }),
    ...(vault !== null && "folder" in vault && { vault: vault.folder }),
  };
}

/** A warning is due if the free space is below `share` of the disk or below `bytes`, one for each threshold. */
const thresholds = [
  { share: 0.1, bytes: 1_000_000_000 },
  { share: 0.02, bytes: 200_000_000 },
];

/** The number of thresholds that a disk has passed; 0 if there is enough free space. */
export const passedThresholds = ({ freeBytes, totalBytes }: Disk): number =>
  thresholds.filter(({ share, bytes }) => freeBytes < bytes || freeBytes < totalBytes * share).length;

/**
 * Measures the tables, the objects and the disks, for /metrics and for a warning before a disk is full. A scrape shows
 * the last measurement, so it needs no query.
 */
export class StorageWatch {
  readonly #db: Queryable;
  readonly #folders: [DiskName, string][];
  readonly #presence: Presence | null;
  readonly #log: Pick<Logger, "warn">;
  readonly #readDisk: (path: string) => Promise<Disk | null>;
  #tables: { name: string; bytes: number }[] = [];
  /** The disks that can be measured, by name. */
  readonly #disks = new Map<DiskName, Disk>();
  #objects: { state: string; count: number; bytes: number }[] = [];
  #deletions: number | null = null;
  /** The number of thresholds that each disk had passed at the last measurement. */
  readonly #passed = new Map<DiskName, number>();

  constructor(parts: {
    db: Queryable;
    folders: Partial<Record<DiskName, string>>;
    /** Absent in a process without an API. */
    presence?: Presence;
    log: Pick<Logger, "warn">;
    readDisk?: (path: string) => Promise<Disk | null>;
  }) {
    this.#db = parts.db;
    this.#folders = Object.entries(parts.folders) as [DiskName, string][];
    this.#presence = parts.presence ?? null;
    this.#log = parts.log;
    this.#readDisk = parts.readDisk ?? diskOf;
  }

  /** Measures the disks first. Rejects if the database does not respond. */
  async measure(): Promise<void> {
    for (const [name, folder] of this.#folders) await this.#measureDisk(name, folder);
    const { rows } = await sql<{ name: string; bytes: number }>`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`.execute(this.#db);
    this.#tables = rows;
    this.#objects = await this.#db
      .selectFrom("stored_objects")
      .select(({ fn }) => ["state", fn.countAll<number>().as("count"), fn.sum<number>("bytes").as("bytes")])
      .groupBy("state")
      .execute();
    const { count } = await this.#db
      .selectFrom("object_deletions")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    this.#deletions = Number(count);
  }

  async #measureDisk(name: DiskName, folder: string): Promise<void> {
    const disk = await this.#readDisk(folder);
    if (disk === null) this.#disks.delete(name);
    else {
      this.#disks.set(name, disk);
      this.#warn(name, folder, disk);
    }
  }

  register(registry: Registry): void {
    const registers = [registry];
    const tables = () => this.#tables;
    const measured = this.#disks;
    const objects = () => this.#objects;
    const deletions = () => this.#deletions;
    const presence = this.#presence;
    new Gauge({
      name: "beatmarket_table_bytes",
      help: "Size of each table with its indexes, measured once a minute.",
      labelNames: ["table"],
      registers,
      collect() {
        this.reset();
        for (const { name, bytes } of tables()) this.set({ table: name }, bytes);
      },
    });
    new Gauge({
      name: "beatmarket_objects",
      help: "Uploads and the files derived from them, by state: being stored, or stored.",
      labelNames: ["state"],
      registers,
      collect() {
        this.reset();
        for (const { state, count } of objects()) this.set({ state }, Number(count));
      },
    });
    new Gauge({
      name: "beatmarket_object_bytes",
      help: "Size of uploads and derived files in the storage, by state.",
      labelNames: ["state"],
      registers,
      collect() {
        this.reset();
        for (const { state, bytes } of objects()) this.set({ state }, Number(bytes));
      },
    });
    new Gauge({
      name: "beatmarket_object_deletions",
      help: "Unused files in the storage that are not deleted yet. With backups, each is deleted once the vault has it.",
      registers,
      collect() {
        const count = deletions();
        if (count === null) this.remove();
        else this.set(count);
      },
    });
    if (presence !== null)
      new Gauge({
        name: "beatmarket_storage_available",
        help: "1 while the storage is reachable and is the one that the database knows, else 0. Checked every five seconds.",
        registers,
        collect() {
          this.set(presence.isAvailable ? 1 : 0);
        },
      });
    new Gauge({
      name: "beatmarket_disk_bytes",
      help: "The disks of DATA_DIR (data), which holds the embedded database, and of folders in STORAGE_URL and BACKUP_VAULT (storage, vault): total and free bytes.",
      labelNames: ["disk", "kind"],
      registers,
      collect() {
        this.reset();
        for (const [disk, { totalBytes, freeBytes }] of measured) {
          this.set({ disk, kind: "total" }, totalBytes);
          this.set({ disk, kind: "free" }, freeBytes);
        }
      },
    });
  }

  /** Warns once for each threshold that a disk passes. Warns again only after the disk had more free space. */
  #warn(name: DiskName, folder: string, { freeBytes, totalBytes }: Disk): void {
    const passed = passedThresholds({ freeBytes, totalBytes });
    const { setting, fails } = disks[name];
    if (passed > (this.#passed.get(name) ?? 0))
      this.#log.warn(
        { freeBytes, totalBytes, folder },
        `the disk of ${setting} is nearly full; make room, or ${fails} will fail`,
      );
    this.#passed.set(name, passed);
  }
}

/** The disk of a folder; null if the folder does not exist, or if the system cannot measure it. */
export const diskOf = (path: string): Promise<Disk | null> =>
  statfs(path).then(
    ({ bavail, blocks, bsize }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
    () => null,
  );
