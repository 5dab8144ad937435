import { sql } from "kysely";
import type { Queryable } from "../../src/database/connect.ts";
import { connectForTest } from "../harness/database/driver.ts";

const maxEndMs = 60_000;

/**
 * Runs work on a connection of its own, and stops it directly after a statement: the session ends, as if the work's
 * process had been killed. `statement` counts from 1. Returns false if the work has fewer statements.
 */
export async function stopsAfter(
  url: string,
  statement: number,
  work: (db: Queryable) => Promise<unknown>,
): Promise<boolean> {
  const database = connectForTest({ url });
  const stopped = Promise.withResolvers<true>();
  let statements = -1;
  const db = database.withStatementLog(() => {
    if (++statements < statement) return;
    stopped.resolve(true);
    return Promise.withResolvers<void>().promise;
  });
  try {
    const session = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
    const isStopped = await Promise.race([stopped.promise, work(db).then(() => false)]);
    // Rolls an open transaction back, and returns when its locks are free.
    if (isStopped) {
      const pid = session.rows[0]?.pid;
      const { rows } = await sql<{ hasEnded: boolean }>`
        select pg_terminate_backend(${pid}, ${maxEndMs}) as "hasEnded"`.execute(database.query);
      if (rows[0]?.hasEnded !== true) throw new Error(`The session ${pid} did not end.`);
    }
    return isStopped;
  } finally {
    await database.close(0);
  }
}
