import { Kysely } from "kysely";
import { PostgresJSDialect } from "kysely-postgres-js";
import type { ReservedSql } from "postgres";
import type { Tables } from "../tables.ts";
import type { Queryable } from "./connect.ts";

/** Runs `work` in a transaction on a connection that is reserved; `db` is the query builder on that connection. */
export async function transactOn<T>(connection: ReservedSql, work: (db: Queryable) => Promise<T>): Promise<T> {
  const unreleasable = { unsafe: connection.unsafe, release: () => {} };
  const db = new Kysely<Tables>({
    dialect: new PostgresJSDialect({ postgres: async () => ({ reserve: async () => unreleasable }) as never }),
  });
  await connection`begin`;
  try {
    const result = await work(db);
    await connection`commit`;
    return result;
  } catch (error) {
    await connection`rollback`;
    throw error;
  }
}
