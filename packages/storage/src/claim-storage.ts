import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { StorageUpkeep } from "./storage.ts";
import type { StorageDatabase } from "./tables.ts";

export interface ClaimOptions {
  /** Whether another storage may replace the claimed storage while nothing is stored. */
  mayReplace: boolean;
}

const lock = sql`hashtext('beatmarket:storage')`;

/**
 * Binds database and storage to each other by an id that is stored in both. Returns the id. Accepts any number of
 * servers with the same storage, on any machine. Throws an OperatorError with the remedy for a server with another
 * storage.
 *
 * Writes the id to the database first, marked as not written to the storage, so that the next start completes the claim
 * after a kill at any moment.
 */
export const claimStorage = (db: Queryable, storage: StorageUpkeep, options: ClaimOptions): Promise<string> =>
  db.connection().execute(async (connection: StorageDatabase) => {
    await sql`select pg_advisory_lock(${lock})`.execute(connection);
    try {
      return await claim(connection, storage, options);
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(connection).catch(() => {});
    }
  });

/**
 * Throws an OperatorError if the database has another storage. Binds the storage to its identity. Accepts any storage
 * if the database has none yet. Claims nothing.
 */
export async function requireStorage(db: Queryable, storage: StorageUpkeep): Promise<void> {
  const tables: StorageDatabase = db;
  const identity = await tables.selectFrom("storage_identity").selectAll().executeTakeFirst();
  if (identity === undefined) return;
  if ((await storage.readIdentity()) === identity.id) return storage.bindTo(identity.id);
  if (identity.place === placeWithHost(storage.place)) throw missing(identity.place);
  throw new OperatorError(
    `The files of this database are in ${identity.place}, not in ${storage.place}. Set DATA_DIR and STORAGE_URL to your service's.`,
  );
}

async function claim(db: StorageDatabase, storage: StorageUpkeep, { mayReplace }: ClaimOptions): Promise<string> {
  const databaseIdentity = await db.selectFrom("storage_identity").selectAll().executeTakeFirst();
  const identity = await storage.readIdentity();
  if (identity !== null && identity !== databaseIdentity?.id)
    throw new OperatorError(
      `${capital(storage.place)} holds the files of another database. Set STORAGE_URL to another folder or prefix; if that database is gone, delete the file "identity" there.`,
    );
  if (identity !== null && databaseIdentity?.is_written === true) return identity;
  const id = identity ?? randomUUID();
  if (identity === null) {
    await transact(db, async (transaction) => {
      // Waits for running stores, which lock the row. Later stores fail, since the id has changed.
      await writeClaim(transaction, { id, place: placeWithHost(storage.place), is_written: false });
      if (databaseIdentity?.is_written !== true || (mayReplace && (await isEmpty(transaction)))) return;
      if (databaseIdentity.place === placeWithHost(storage.place)) throw missing(databaseIdentity.place);
      throw new OperatorError(
        `The files of this database are in ${databaseIdentity.place}, and this server would keep them in ${storage.place}. Set STORAGE_URL to one storage for all servers, such as s3://bucket?endpoint=https://s3.example.com (docs/operating.md, Storage).`,
      );
    });
    await storage.writeIdentity(id);
  }
  await db.updateTable("storage_identity").set({ is_written: true }).execute();
  return id;
}

/** The error if the storage is named correctly, but has no identity. */
const missing = (place: string): OperatorError =>
  new OperatorError(
    `The files of this database are in ${place}, but its file "identity" is missing there. Mount the disk that they are on, or put back their bucket. If they are somewhere else now, set STORAGE_URL to that place. If they are lost, restore a backup with \`beatmarket backup restore\`.`,
  );

async function writeClaim(
  db: StorageDatabase,
  claimRow: { id: string; place: string; is_written: boolean },
): Promise<void> {
  await db
    .insertInto("storage_identity")
    .values({ only_row: true, ...claimRow })
    .onConflict((conflict) => conflict.column("only_row").doUpdateSet(claimRow))
    .execute();
}

async function isEmpty(db: StorageDatabase): Promise<boolean> {
  const any = db.selectFrom("stored_objects").select("sha256").limit(1);
  return (await any.executeTakeFirst()) === undefined;
}

/** Adds the host name to a folder, since other machines have other folders. */
const placeWithHost = (place: string): string => (place.startsWith("s3:") ? place : `${place} on ${hostname()}`);

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
