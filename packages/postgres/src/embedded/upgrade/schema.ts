import type { Connection } from "../../connection/connection.ts";

export interface Table {
  /** Quoted if necessary, like the columns. */
  name: string;
  /** The columns to copy, without generated columns. Sorted. */
  columns: string[];
  /** All columns, for the check. Sorted. */
  allColumns: string[];
}

const inPublic = "relnamespace = 'public'::regnamespace";

/** The tables of the schema, sorted by name. */
export async function readTables(connection: Connection): Promise<Table[]> {
  const { rows } = await connection.query(`
    select pg_class.oid::regclass::text as name,
           coalesce(array_agg(quote_ident(attname) order by attname) filter (where attgenerated = ''), '{}') as columns,
           array_agg(quote_ident(attname) order by attname) as "allColumns"
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where ${inPublic} and relkind = 'r'
    group by pg_class.oid order by 1`);
  return rows;
}

/**
 * The schema of a database: a line for each object, the same in all major versions. Contains only the name of an object
 * whose definition PostgreSQL generates, since major versions may format it differently.
 */
export async function readSchema(connection: Connection): Promise<string[]> {
  const { rows } = await connection.query(`
    select format('schema %I', nspname) as line from pg_namespace
      where nspname !~ '^pg_' and nspname not in ('public', 'information_schema')
    union all
    select format('extension %I', extname) from pg_extension where extname <> 'plpgsql'
    union all
    select format('%s %s', case relkind when 'r' then 'table' when 'p' then 'partitioned table' when 'v' then 'view'
        when 'm' then 'materialized view' when 'f' then 'foreign table' when 'S' then 'sequence' when 'i' then 'index'
        else 'type' end, oid::regclass)
      from pg_class where ${inPublic}
    union all
    select format('column %s.%I %s%s%s%s', attrelid::regclass, attname, format_type(atttypid, atttypmod),
        case when attnotnull then ' not null' end, case when attgenerated <> '' then ' generated' end,
        case attidentity when 'a' then ' identity' when 'd' then ' identity by default' end)
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where ${inPublic} and relkind in ('r', 'p', 'v', 'm', 'f') and attnum > 0 and not attisdropped
    union all
    -- PostgreSQL 18 also lists "not null" constraints.
    select format('constraint %s.%I', conrelid::regclass, conname) from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 'n'
    union all
    select format('trigger %s.%I%s', tgrelid::regclass, tgname, case when tgenabled <> 'O' then ' ' || tgenabled::text end)
      from pg_trigger where not tgisinternal
    union all
    select format('routine %s %s', oid::regprocedure, md5(prosrc)) from pg_proc
      where pronamespace = 'public'::regnamespace
    union all
    select format('enumeration %s %s', enumtypid::regtype, array_agg(enumlabel order by enumsortorder)) from pg_enum
      group by enumtypid
    union all
    select format('domain %s', oid::regtype) from pg_type where typnamespace = 'public'::regnamespace and typtype = 'd'
    union all
    select format('statistics %I', stxname) from pg_statistic_ext where stxnamespace = 'public'::regnamespace
    order by 1`);
  return rows.map(({ line }: { line: string }) => line);
}

/** The numbers of the applied migrations. */
export async function readMigrationNumbers(connection: Connection): Promise<Set<number>> {
  const { rows } = await connection.query("select to_regclass('public.schema_migrations') is not null as is_there");
  if (!rows[0]?.is_there) return new Set();
  const migrations = await connection.query("select number from schema_migrations");
  return new Set(migrations.rows.map(({ number }: { number: number }) => number));
}
