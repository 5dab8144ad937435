import { createHash } from "node:crypto";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { type Reference, referencesToObjects, referrersOf } from "./references.ts";
import { ObjectNotFound, type Storage, type StorageUpkeep } from "./storage.ts";
import type { StorageDatabase } from "./tables.ts";

/**
 * `missing`: a row without an object. `damaged`: the size or hash differs from the row's. `unknown`: an object without
 * a row.
 */
export type Fault = "missing" | "damaged" | "unknown";

export interface Finding {
  sha256: string;
  fault: Fault;
  /** The size in the row; without a row, the size of the object. */
  bytes: number;
  /** The rows that refer to the object, such as `beat_files (beat_id 12, name preview)`; at most ten. */
  referred_by: string[];
  /** Whether `repair` was requested, and has repaired the fault completely. */
  is_repaired: boolean;
}

export interface VerifyOptions {
  /** Whether to read every object and compare its content with its name. */
  checksums: boolean;
  repair: boolean;
  signal: AbortSignal;
  onProgress(verified: { objects: number; bytes: number; findings: number }): void;
}

export interface Verification {
  objects: number;
  bytes: number;
  findings: Finding[];
}

interface Row {
  sha256: string;
  bytes: number;
}

const pageSize = 1_000;

/** Number of rows in `stored_objects`, and the total size of their objects, for a progress bar. */
export async function countObjects(db: Queryable): Promise<{ objects: number; bytes: number }> {
  const { rows } = await sql<{ objects: number; bytes: number }>`
    select count(*)::float8 as objects, coalesce(sum(bytes), 0)::float8 as bytes from stored_objects`.execute(db);
  return rows[0] as { objects: number; bytes: number };
}

/**
 * Compares the rows with the objects, in constant memory, even while the service runs. With `repair`: inserts a row for
 * an object without a row, so that the sweeper deletes the object an hour later; deletes an unreferenced row without an
 * object; and marks a damaged object, so that storing the same file again replaces it.
 */
export async function verifyObjects(
  db: Queryable,
  storage: Storage & StorageUpkeep,
  options: VerifyOptions,
): Promise<Verification> {
  const references = await referencesToObjects(db);
  const verified: Verification = { objects: 0, bytes: 0, findings: [] };
  const add = async (row: Row, fault: Fault | null) => {
    verified.objects++;
    verified.bytes += row.bytes;
    if (fault !== null) verified.findings.push(await findingOf(db, references, row, fault, options.repair));
    options.onProgress({ ...verified, findings: verified.findings.length });
  };

  const rows = rowsOf(db)[Symbol.asyncIterator]();
  const nextRow = async (): Promise<Row | null> => {
    options.signal.throwIfAborted();
    const { value, done } = await rows.next();
    return done === true ? null : value;
  };
  let row = await nextRow();
  for await (const object of storage.list()) {
    for (; row !== null && row.sha256 < object.sha256; row = await nextRow())
      await add(row, await faultOf(db, storage, row, options));
    if (row?.sha256 === object.sha256) {
      await add(row, await faultOf(db, storage, row, options));
      row = await nextRow();
    } else if (await isUnknown(db, storage, object.sha256)) await add(object, "unknown");
    options.signal.throwIfAborted();
  }
  for (; row !== null; row = await nextRow()) await add(row, await faultOf(db, storage, row, options));
  return verified;
}

async function* rowsOf(db: StorageDatabase): AsyncGenerator<Row> {
  for (let after = ""; ; ) {
    const page = await db
      .selectFrom("stored_objects")
      .select(["sha256", "bytes"])
      .where("sha256", ">", after)
      .orderBy("sha256")
      .limit(pageSize)
      .execute();
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.sha256 ?? "";
  }
}

/** Returns null if there is no fault, or if the object is being stored or was deleted after the row was read. */
async function faultOf(
  db: StorageDatabase,
  storage: Storage,
  row: Row,
  { checksums }: VerifyOptions,
): Promise<Fault | null> {
  if ((await compare(storage, row, checksums)) === null) return null;
  const settled = db
    .selectFrom("stored_objects")
    .select("sha256")
    .where("sha256", "=", row.sha256)
    .where(sql<boolean>`(state = 'stored' or touched_at < now() - interval '1 hour')`);
  return (await settled.executeTakeFirst()) === undefined ? null : compare(storage, row, checksums);
}

async function compare(storage: Storage, { sha256, bytes }: Row, checksums: boolean): Promise<Fault | null> {
  const head = await storage.head(sha256);
  if (head === null) return "missing";
  if (head.bytes !== bytes) return "damaged";
  return !checksums || (await hashOf(storage, sha256)) === sha256 ? null : "damaged";
}

async function hashOf(storage: Storage, sha256: string): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of (await storage.get(sha256)) as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (error) {
    if (error instanceof ObjectNotFound) return null;
    throw error;
  }
  return hash.digest("hex");
}

/** Whether the object exists and has no row. */
async function isUnknown(db: StorageDatabase, storage: Storage, sha256: string): Promise<boolean> {
  for (const table of ["stored_objects", "object_deletions"] as const) {
    const row = db.selectFrom(table).select("sha256").where("sha256", "=", sha256);
    if ((await row.executeTakeFirst()) !== undefined) return false;
  }
  return (await storage.head(sha256)) !== null;
}

/** Describes a fault, and repairs it if `repair` is true. */
async function findingOf(
  db: Queryable,
  references: readonly Reference[],
  { sha256, bytes }: Row,
  fault: Fault,
  repair: boolean,
): Promise<Finding> {
  const referred_by = await referrersOf(db, references, sha256);
  const is_repaired = repair && (await repairs[fault](db, { sha256, bytes }, referred_by.length > 0));
  return { sha256, fault, bytes, referred_by, is_repaired };
}

type Repair = (db: StorageDatabase, row: Row, isReferred: boolean) => Promise<boolean>;

/** Each repair returns whether the fault is completely repaired. */
const repairs: Record<Fault, Repair> = {
  missing: async (db, { sha256 }, isReferred) => {
    if (isReferred) return false;
    await db.deleteFrom("stored_objects").where("sha256", "=", sha256).execute();
    return true;
  },
  damaged: async (db, { sha256 }, isReferred) => {
    await db.updateTable("stored_objects").set({ state: "storing" }).where("sha256", "=", sha256).execute();
    return !isReferred;
  },
  unknown: async (db, { sha256, bytes }) => {
    const row = { sha256, bytes, state: "stored", touched_at: sql<Date>`now()` };
    await db
      .insertInto("stored_objects")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  },
};
