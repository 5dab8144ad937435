import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** Adds, to a sandbox, a person or organisation of the live service: under the same id, without name and address. */
export async function addMirror(db: Queryable, id: number, name: string): Promise<void> {
  await sql`
    insert into users (id, username, display_name, email) overriding system value
    values (${id}, ${`member-${id}`}, ${name}, ${`member-${id}@sandbox.invalid`}) on conflict do nothing`.execute(db);
}
