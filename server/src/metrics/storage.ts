import { statfs } from "node:fs/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";
import type { Queryable } from "../database/connection/connect.ts";

interface Disk {
  freeBytes: number;
  totalBytes: number;
}

/** Free space below either figure is worth a warning; the lower threshold, another one. */
const thresholds = [
  { share: 0.1, bytes: 1_000_000_000 },
  { share: 0.02, bytes: 200_000_000 },
];

/**
 * Measures the tables, the objects and the disk of the data folder, for /metrics and for a warning before the disk is full. A
 * scrape costs nothing: it shows what was measured last.
 */
export class StorageWatch {
  readonly #db: Queryable;
  readonly #dataDir: string;
  readonly #log: Pick<Logger, "warn">;
  readonly #readDisk: (path: string) => Promise<Disk | null>;
  #tables: { name: string; bytes: number }[] = [];
  #disk: Disk | null = null;
  #objects: { state: string; count: number; bytes: number }[] = [];
  /** How many of the thresholds were passed at the last measurement. */
  #passed = 0;

  constructor(parts: {
    db: Queryable;
    dataDir: string;
    log: Pick<Logger, "warn">;
    readDisk?: (path: string) => Promise<Disk | null>;
  }) {
    this.#db = parts.db;
    this.#dataDir = parts.dataDir;
    this.#log = parts.log;
    this.#readDisk = parts.readDisk ?? diskOf;
  }

  /** Rejects when the database does not respond; the disk is measured before. */
  async measure(): Promise<void> {
    this.#disk = await this.#readDisk(this.#dataDir);
    if (this.#disk !== null) this.#warn(this.#disk);
    const { rows } = await sql<{ name: string; bytes: number }>`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`.execute(this.#db);
    this.#tables = rows;
    this.#objects = await this.#db
      .selectFrom("stored_objects")
      .select(({ fn }) => ["state", fn.countAll<number>().as("count"), fn.sum<number>("bytes").as("bytes")])
      .groupBy("state")
      .execute();
  }

  register(registry: Registry): void {
    const registers = [registry];
    const tables = () => this.#tables;
    const disk = () => this.#disk;
    const objects = () => this.#objects;
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
      help: "Uploads and the files made of them, by what the database knows: being stored, or stored.",
      labelNames: ["state"],
      registers,
      collect() {
        this.reset();
        for (const { state, count } of objects()) this.set({ state }, Number(count));
      },
    });
    new Gauge({
      name: "beatmarket_object_bytes",
      help: "Their size in the storage.",
      labelNames: ["state"],
      registers,
      collect() {
        this.reset();
        for (const { state, bytes } of objects()) this.set({ state }, Number(bytes));
      },
    });
    new Gauge({
      name: "beatmarket_data_dir_bytes",
      help: "The disk of DATA_DIR, which holds the embedded database: its size, and what is free.",
      labelNames: ["kind"],
      registers,
      collect() {
        this.reset();
        const measured = disk();
        if (measured === null) return;
        this.set({ kind: "total" }, measured.totalBytes);
        this.set({ kind: "free" }, measured.freeBytes);
      },
    });
  }

  /** Once for each threshold, and again only after there was room meanwhile. */
  #warn({ freeBytes, totalBytes }: Disk): void {
    const passed = thresholds.filter(({ share, bytes }) => freeBytes < bytes || freeBytes < totalBytes * share).length;
    if (passed > this.#passed)
      this.#log.warn(
        { freeBytes, totalBytes, dataDir: this.#dataDir },
        "the disk of DATA_DIR is nearly full; make room, or orders and calls will fail",
      );
    this.#passed = passed;
  }
}

/** Null where the folder does not exist, or the system does not say. */
const diskOf = (path: string): Promise<Disk | null> =>
  statfs(path).then(
    ({ bavail, blocks, bsize }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
    () => null,
  );
