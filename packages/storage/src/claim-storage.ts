import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { StorageUpkeep } from "./storage.ts";
import type { StorageDatabase } from "./tables.ts";

export interface ClaimOptions {
  /** Whether another storage may replace the known one while nothing is stored. */
  mayReplace: boolean;
}

const lock = sql`hashtext('beatmarket:storage')`;

/**
 * Joins database and storage by an id that is stored in both, and returns it. Any number of servers with the same
 * storage are accepted, from any machine; a server with another storage than the database knows is not. Throws an
 * OperatorError that says what to set.
 *
 * The id is written to the database first, marked as not written to the storage: after a kill at any moment the next
 * start completes the claim.
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
 * Throws an OperatorError unless this is the storage that the database knows; from then on the storage is bound to it.
 * Claims nothing.
 */
export async function requireStorage(db: Queryable, storage: StorageUpkeep): Promise<void> {
  const tables: StorageDatabase = db;
  const identity = await tables.selectFrom("storage_identity").selectAll().executeTakeFirst();
  if (identity === undefined) return;
  if ((await storage.readIdentity()) === identity.id) return storage.keepTo(identity.id);
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
      // Waits for running stores, which hold the row; later stores find another id.
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

/** The place is the known one, but the storage is not there. */
const missing = (place: string): OperatorError =>
  new OperatorError(
    `The files of this database are in ${place}, and nothing of them is there: its file "identity" is missing. Mount the disk, or put back the bucket, that they are on; if they are somewhere else now, set STORAGE_URL to that. If they are lost, restore a backup: beatmarket backup restore.`,
  );

async function writeClaim(
  db: StorageDatabase,
  claimed: { id: string; place: string; is_written: boolean },
): Promise<void> {
  await db
    .insertInto("storage_identity")
    .values({ only_row: true, ...claimed })
    .onConflict((conflict) => conflict.column("only_row").doUpdateSet(claimed))
    .execute();
}

async function isEmpty(db: StorageDatabase): Promise<boolean> {
  const any = db.selectFrom("stored_objects").select("sha256").limit(1);
  return (await any.executeTakeFirst()) === undefined;
}

/** Adds the host to a folder, which belongs to this machine. */
const placeWithHost = (place: string): string => (place.startsWith("s3:") ? place : `${place} on ${hostname()}`);

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
