import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sha256Of } from "@beatmarket/storage/object-storage.ts";
import {
  ObjectNotFound,
  objectKey,
  type Storage,
  StorageUnavailable,
  WrongContent,
} from "@beatmarket/storage/storage.ts";
import { sql } from "kysely";
import { objectsPrefix } from "./backup-list.ts";
import type { BackupDatabase } from "./tables.ts";
import { DamagedFile } from "./vault/sealing.ts";
import type { Vault } from "./vault/vault.ts";

export interface ObjectRow {
  sha256: string;
  bytes: number;
  touched_at: Date;
}

const pageSize = 1_000;
/** Allows for the time between a statement, which sets `touched_at`, and its commit. */
const marginMs = 300_000;

export const objectName = (sha256: string): string => `${objectsPrefix}${objectKey(sha256)}`;

/** Yields the stored objects of the database, in order of their hashes. */
export async function* objectRows(db: BackupDatabase): AsyncGenerator<ObjectRow> {
  for (let after = ""; ; ) {
    const page = await db
      .selectFrom("stored_objects")
      .select(["sha256", "bytes", "touched_at"])
      .where("state", "=", "stored")
      .where("sha256", ">", after)
      .orderBy("sha256")
      .limit(pageSize)
      .execute();
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.sha256 ?? "";
  }
}

export interface ObjectCopy {
  db: BackupDatabase;
  storage: Storage;
  vault: Vault;
  /** Called for an object that is not copied, because the storage lacks it or has it with other content. */
  onFault(sha256: string, why: string): void;
}

/**
 * Copies objects from the storage into the vault. The vault must have an object before the part of the write-ahead log
 * that refers to the object. `copyAll` compares all rows with the vault; `copyRecent` only the rows that were stored
 * since the last call of either.
 *
 * An object whose row was stored after its copy is copied again, so that a copy is never older than the row: `prune`
 * depends on that.
 */
export class ObjectCopier {
  readonly #copy: ObjectCopy;
  #until: Date | null = null;

  constructor(copy: ObjectCopy) {
    this.#copy = copy;
  }

  /** Throws VaultUnavailable or StorageUnavailable. */
  async copyRecent(stopping?: AbortSignal): Promise<void> {
    if (this.#until === null) return this.copyAll(stopping);
    const { db, vault } = this.#copy;
    const now = await databaseTime(db);
    const rows = await db
      .selectFrom("stored_objects")
      .select(["sha256", "bytes", "touched_at"])
      .where("state", "=", "stored")
      .where("touched_at", ">", new Date(this.#until.getTime() - marginMs))
      .execute();
    for (const row of rows) {
      stopping?.throwIfAborted();
      await this.#copyUnlessCurrent(row, await vault.head(objectName(row.sha256)));
    }
    this.#until = now;
  }

  /** Throws VaultUnavailable or StorageUnavailable. */
  async copyAll(stopping?: AbortSignal): Promise<void> {
    const { db, vault } = this.#copy;
    const now = await databaseTime(db);
    const copies = vault.list(objectsPrefix);
    let copy = await copies.next();
    for await (const row of objectRows(db)) {
      stopping?.throwIfAborted();
      const name = objectName(row.sha256);
      while (copy.done !== true && copy.value.key < name) copy = await copies.next();
      await this.#copyUnlessCurrent(row, copy.done !== true && copy.value.key === name ? copy.value : null);
    }
    this.#until = now;
  }

  async #copyUnlessCurrent({ sha256, bytes, touched_at }: ObjectRow, copy: { putAt: Date } | null): Promise<void> {
    const { storage, vault, onFault } = this.#copy;
    // A bucket reports times in whole seconds.
    if (copy !== null && copy.putAt.getTime() + 1_000 > touched_at.getTime()) return;
    try {
      await vault.put(objectName(sha256), verifiedContent(storage, sha256, bytes));
    } catch (error) {
      if (!(error instanceof ObjectNotFound || error instanceof WrongContent)) throw error;
      onFault(sha256, error.message);
    }
  }
}

/** Yields the content of an object; throws at the end if the size or the hash is wrong. */
async function* verifiedContent(storage: Storage, sha256: string, bytes: number): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const chunk of (await storage.get(sha256)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ObjectNotFound ? error : new StorageUnavailable(error);
  }
  if (size !== bytes || hash.digest("hex") !== sha256)
    throw new WrongContent(`The object ${sha256} has other content.`);
}

export interface RestoredObjects {
  copied: number;
  /** The hashes of objects that neither the storage nor the vault has intact. */
  missing: string[];
}

/**
 * Copies from the vault into the storage each object that the database refers to, if the storage lacks it or has it
 * with another size. `scratch` is a folder for one file at a time.
 */
export async function restoreObjects(
  {
    db,
    storage,
    vault,
    scratch,
    signal,
  }: { db: BackupDatabase; storage: Storage; vault: Vault; scratch: string; signal: AbortSignal },
  onProgress: (objects: number) => void,
): Promise<RestoredObjects> {
  const restored: RestoredObjects = { copied: 0, missing: [] };
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const draft = join(scratch, "restored-object");
  let count = 0;
  for await (const { sha256, bytes } of objectRows(db)) {
    signal.throwIfAborted();
    onProgress(++count);
    if ((await storage.head(sha256))?.bytes === bytes) continue;
    try {
      const content = await vault.get(objectName(sha256));
      if (content === null) throw new WrongContent("The vault does not have it.");
      await pipeline(content, createWriteStream(draft, { mode: 0o600 }));
      await storage.put(draft, sha256, bytes);
      restored.copied++;
    } catch (error) {
      if (!(error instanceof WrongContent || error instanceof DamagedFile)) throw error;
      restored.missing.push(sha256);
    }
  }
  await rm(draft, { force: true });
  return restored;
}

/** Yields the objects in a vault, in order of their hashes, with the size and the time of each copy. */
export async function* copiedObjects(vault: Vault): AsyncGenerator<{ sha256: string; bytes: number; putAt: Date }> {
  for await (const { key, bytes, putAt } of vault.list(objectsPrefix)) {
    const sha256 = sha256Of(key.slice(objectsPrefix.length));
    if (sha256 !== null) yield { sha256, bytes, putAt };
  }
}

async function databaseTime(db: Queryable): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date();
}
