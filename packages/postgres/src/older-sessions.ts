import { sql } from "kysely";
import type { Queryable } from "./connection/connect.ts";
import { readSessionName } from "./session-names.ts";

/** Sessions of an earlier release of a program, with the same name. */
export interface OlderSessions {
  /** The program and its command, such as `shop serve`. */
  name: string;
  count: number;
}

/**
 * The sessions in this database of releases that do not have migration `number`. A session whose name has no migration
 * number counts, since the first releases did not write it.
 */
export async function olderSessions(db: Queryable, program: string, number: number): Promise<OlderSessions[]> {
  const { rows } = await sql<{ name: string }>`
    select application_name as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
  const counts = new Map<string, number>();
  for (const { name } of rows) {
    const session = readSessionName(program, name);
    if (session === null || session.lastMigration >= number) continue;
    counts.set(session.name, (counts.get(session.name) ?? 0) + 1);
  }
  return Array.from(counts, ([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
