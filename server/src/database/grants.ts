import { sql } from "kysely";
import type { Queryable } from "./connect.ts";

/** Tables that the service vacuums after many changes. Since version 17, PostgreSQL has a privilege for that. */
const vacuumedTables = ["beats", "genres", "producer_counts", "users"];

/**
 * Grants the privileges of the service's role: read and write rows, also of later tables, use sequences, create temporary
 * tables, and vacuum. The role may neither change the schema nor grant anything. Call this as the owner of the schema. A
 * second call changes nothing.
 */
export async function grantService(owner: Queryable, role: string): Promise<void> {
  const { rows } = await sql<{ complete: boolean }>`
    select not exists (
      select from pg_class cross join unnest('{select,insert,update,delete}'::text[]) as privilege
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
        and not has_table_privilege(${role}, pg_class.oid, privilege)
    ) and not exists (
      -- A case, since conditions have no order and the function refuses other relations.
      select from pg_class where relnamespace = 'public'::regnamespace
        and case when relkind = 'S' then not has_sequence_privilege(${role}, oid, 'usage') else false end
    ) as complete`.execute(owner);
  if (rows[0]?.complete) return;
  const to = sql`to ${sql.id(role)}`;
  for (const statement of [
    sql`grant usage on schema public ${to}`,
    sql`grant select, insert, update, delete on all tables in schema public ${to}`,
    sql`grant usage on all sequences in schema public ${to}`,
    sql`alter default privileges in schema public grant select, insert, update, delete on tables ${to}`,
    sql`alter default privileges in schema public grant usage on sequences ${to}`,
  ])
    await statement.execute(owner);
  // Without this privilege, VACUUM skips the table with a warning, and autovacuum processes it later.
  await sql
    .raw(
      `do $$ begin
         if current_setting('server_version_num')::int >= 170000 then
           grant maintain on ${vacuumedTables.join(", ")} to "${role.replaceAll('"', '""')}";
         end if;
       end $$`,
    )
    .execute(owner);
}
