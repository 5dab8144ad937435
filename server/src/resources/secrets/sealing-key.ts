import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** What new secrets are sealed under. */
export interface SealingKey {
  /** Null until the first secret is sealed. */
  id: string | null;
  /** 1: as releases without key ids open it. 2: with the key's id, bound to its place. */
  format: 1 | 2;
}

/** Reads it. Within a transaction, it stays as it is until that ends, so that a rotation misses no secret. */
export const readSealingKey = (db: Queryable): Promise<SealingKey> =>
  db
    .selectFrom("sealing_key")
    .select(["id", "format"])
    .$if(db.isTransaction, (query) => query.forShare())
    .executeTakeFirstOrThrow() as Promise<SealingKey>;

/** Settles on a key in a database in which nothing is sealed yet. Of two instances the first one wins. */
export async function settleSealingKey(db: Queryable, id: string): Promise<void> {
  await sql`update sealing_key set id = ${id} where id is null and format = 2`.execute(db);
}

/** New secrets are sealed under this key from now on. Waits for the transactions that seal under the one before. */
export async function changeSealingKey(db: Queryable, id: string): Promise<void> {
  await sql`update sealing_key set id = ${id}, format = 2`.execute(db);
}
