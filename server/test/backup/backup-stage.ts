import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openObjects } from "@beatmarket/storage/open-storage.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { sql } from "kysely";
import { expect } from "vitest";
import { backupCommand } from "../../src/commands/backup/backup.ts";
import { readConfig } from "../../src/config.ts";
import { type OpenedDatabase, openDatabase } from "../../src/database/open.ts";
import { type EndedCommand, runHere } from "../harness/command.ts";

export type Env = Record<string, string>;

/** A key that an operator chose. */
export const key = "a key of the operator's, long enough for it";
const silentLog = { log: () => {} };

/** An embedded database that this process uses, and vaults for it. */
export class BackupStage {
  readonly folder: string;
  readonly dataDir: string;
  readonly database: OpenedDatabase;
  readonly #objects: StoredObjects;
  /** For each key, a vault with one backup. The vault is created at the first use. */
  readonly #prepared = new Map<string | undefined, Promise<string>>();
  #names = 0;

  private constructor(folder: string, dataDir: string, database: OpenedDatabase, objects: StoredObjects) {
    this.folder = folder;
    this.dataDir = dataDir;
    this.database = database;
    this.#objects = objects;
  }

  static async open(): Promise<BackupStage> {
    const folder = await mkdtemp(join(tmpdir(), "beatmarket-backup-"));
    await chmod(folder, 0o755); // Clusters run as PostgreSQL's account, which must enter this folder.
    const dataDir = join(folder, "data");
    const database = await openDatabase({ databaseUrl: undefined, dataDir }, silentLog);
    await database.migrate();
    const objects = await openObjects(database.query, readConfig({ DATA_DIR: dataDir }));
    await writeFile(join(dataDir, "secret-key"), "the key that seals secrets");
    return new BackupStage(folder, dataDir, database, objects);
  }

  async close(): Promise<void> {
    await this.database.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A path that does not exist yet. */
  fresh(prefix: string): string {
    return join(this.folder, `${prefix}-${this.#names++}`);
  }

  backup(args: readonly string[], env: Env): Promise<EndedCommand> {
    return runHere(backupCommand, ["backup", ...args], { DATA_DIR: this.dataDir, ...env });
  }

  async backupJson<T>(args: readonly string[], env: Env): Promise<T> {
    const { out, errors, status } = await this.backup([...args, "--json"], env);
    expect(status, errors).toBe(0);
    return JSON.parse(out) as T;
  }

  makeGenre(name: string): Promise<unknown> {
    return sql`insert into genres (name, slug) values (${name}, ${name})`.execute(this.database.query);
  }

  /** Stores a file of a producer. Returns its hash. */
  async store(content: string): Promise<string> {
    await writeFile(join(this.folder, "file"), content);
    return (await this.#objects.store(join(this.folder, "file"))).sha256;
  }

  /** The genres of a restored data folder. `look` gets the database of the folder. */
  async genresOf(dataDir: string, look?: (restoredDatabase: OpenedDatabase) => Promise<void>): Promise<string[]> {
    const restoredDatabase = await openDatabase({ databaseUrl: undefined, dataDir }, silentLog);
    try {
      const { rows } = await sql<{ name: string }>`select name from genres order by name`.execute(
        restoredDatabase.query,
      );
      await look?.(restoredDatabase);
      return rows.map(({ name }) => name);
    } finally {
      await restoredDatabase.close();
    }
  }

  /**
   * A moment that is at least a whole millisecond after the last commit and before the next one, because a Date and
   * `--at` have milliseconds.
   */
  async now(): Promise<Date> {
    const pause = () => sql`select pg_sleep(0.002)`.execute(this.database.query);
    await pause();
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(this.database.query);
    await pause();
    return rows[0]?.now as Date;
  }

  /** Creates a vault in a new folder, with one backup. */
  async makeVault(env: Env = {}): Promise<string> {
    const vault = this.fresh("vault");
    await this.backupJson(["create"], { BACKUP_VAULT: vault, ...env });
    return vault;
  }

  /** A copy of a vault in a folder, with one backup. */
  async vaultWithBackup(env: Env = {}): Promise<{ vault: string; env: Env }> {
    const original = this.#prepared.get(env.BACKUP_KEY) ?? this.makeVault(env);
    this.#prepared.set(env.BACKUP_KEY, original);
    const vault = this.fresh("vault");
    await cp(await original, vault, { recursive: true, preserveTimestamps: true });
    return { vault, env: { BACKUP_VAULT: vault, ...env } };
  }
}

/** Flips a bit in the middle of a file. */
export async function damage(file: string): Promise<void> {
  const bytes = await readFile(file);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

/** The names of a vault's segments of the log, the oldest first. */
export async function segmentsOf(vault: string): Promise<string[]> {
  const names: string[] = [];
  for (const cluster of await readdir(join(vault, "wal")))
    for (const file of await readdir(join(vault, "wal", cluster)))
      if (/^[0-9A-F]{24}$/.test(file)) names.push(`wal/${cluster}/${file}`);
  return names.sort();
}

/** The ids of a vault's backups, the oldest first. */
export const backupsOf = async (vault: string): Promise<string[]> => (await readdir(join(vault, "backups"))).sort();
