import { sql } from "kysely";
import type { Queryable } from "../connection/connect.ts";

/** The role that owns and migrates the schema. */
export const ownerRole = "beatmarket_owner";
/** The role that serves: it may only read and write rows. */
export const serviceRole = "beatmarket_service";

const lockTimeoutMs = 10_000;

/**
 * Creates both roles. Changes the owner of all objects in the database to the owner role, since earlier releases
 * created them as superuser. Idempotent. Requires the superuser, and one process at a time.
 */
export async function prepareRoles(db: Queryable): Promise<void> {
  const { rows } = await sql<{ statement: string }>`${statements}`.execute(db);
  if (rows.length === 0) return;
  await sql
    .raw(
      [`begin; set local lock_timeout = ${lockTimeoutMs}`, ...rows.map((row) => row.statement), "commit"].join(";\n"),
    )
    .execute(db);
}

const owner = sql`(select oid from pg_roles where rolname = ${sql.lit(ownerRole)})`;
const differs = sql`is distinct from ${owner}`;
const give = (object: string) => sql.lit(`alter ${object} owner to ${ownerRole}`);
const ofSchema = sql`'public'::regnamespace`;

/** Selects the statements that are still necessary. */
const statements = sql`
  select format('create role %I login', name) as statement
  from unnest(${sql.lit(`{${ownerRole},${serviceRole}}`)}::text[]) as name
  where not exists (select from pg_roles where rolname = name)
  union all
  select format(${give("database %I")}, datname) from pg_database where datname = current_database() and datdba ${differs}
  union all
  select ${give("schema public")} from pg_namespace where oid = ${ofSchema} and nspowner ${differs}
  union all
  select format(${give("%s %s")}, kinds.name, pg_class.oid::regclass)
  from pg_class join (values ('r', 'table'), ('p', 'table'), ('v', 'view'), ('S', 'sequence')) as kinds (kind, name)
    on kinds.kind = relkind
  where relnamespace = ${ofSchema} and relowner ${differs}
    -- The sequence of a column changes its owner together with the table.
    and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i') and relkind = 'S')
  union all
  select format(${give("routine %s")}, oid::regprocedure) from pg_proc where pronamespace = ${ofSchema} and proowner ${differs}
  union all
  select format(${give("type %s")}, oid::regtype) from pg_type
  where typnamespace = ${ofSchema} and typowner ${differs} and typtype in ('d', 'e')
  union all
  select format(${give("statistics %I")}, stxname) from pg_statistic_ext
  where stxnamespace = ${ofSchema} and stxowner ${differs}`;
