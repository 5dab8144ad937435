import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";

/** A column that refers to `stored_objects`, and the primary key of its table. */
export interface Reference {
  table: string;
  column: string;
  key: string[];
}

/**
 * Reads all references from the foreign keys of the schema, so that there is no list of referring tables to maintain.
 */
export async function referencesToObjects(db: Queryable): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select class.relname as table, attribute.attname as column, array(
      select key.attname::text from pg_constraint primary_key
      join pg_attribute key on key.attrelid = class.oid and key.attnum = any (primary_key.conkey)
      where primary_key.conrelid = class.oid and primary_key.contype = 'p'
      order by array_position(primary_key.conkey, key.attnum)
    ) as key
    from pg_constraint reference
    join pg_class class on class.oid = reference.conrelid
    join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum = reference.conkey[1]
    where reference.contype = 'f' and reference.confrelid = 'stored_objects'::regclass
    order by 1, 2`.execute(db);
  return rows;
}

/** An SQL condition: no row refers to the row of `stored_objects` that the surrounding statement calls `object`. */
export const isUnreferenced = (references: readonly Reference[]) =>
  sql<boolean>`(true ${sql.join(
    references.map(
      ({ table, column }) =>
        sql`and not exists (select from ${sql.table(table)} as referrer where ${sql.ref(`referrer.${column}`)} = object.sha256)`,
    ),
    sql` `,
  )})`;

/** Describes the rows that refer to an object, such as `beat_files (beat_id 12, name preview)`; at most ten. */
export async function referrersOf(db: Queryable, references: readonly Reference[], sha256: string): Promise<string[]> {
  const referrers: string[] = [];
  for (const { table, column, key } of references) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(key.map((name) => sql.ref(name)))} from ${sql.table(table)}
      where ${sql.ref(column)} = ${sha256} order by 1 limit ${10 - referrers.length}`.execute(db);
    referrers.push(...rows.map((row) => `${table} (${key.map((name) => `${name} ${row[name]}`).join(", ")})`));
  }
  return referrers;
}
