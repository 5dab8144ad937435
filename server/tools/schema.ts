import { sql } from "kysely";
import type { Queryable } from "../src/database/connect.ts";

/**
 * Describes a database from its system catalogue, because the embedded server has no pg_dump: the text of
 * `database/schema.sql` and of `server/src/database/tables.ts`. `npm run schema` writes both, and a test compares them.
 */
export interface SchemaDescription {
  /**
   * Readable SQL: tables, constraints, indexes, sequences, functions, triggers, in an order that is always the same.
   */
  sql: string;
  /** One Kysely interface for each table. */
  types: string;
}

interface Column {
  table: string;
  table_kind: string;
  table_options: string | null;
  column: string;
  type: string;
  collation: string | null;
  not_null: boolean;
  default: string | null;
  identity: string;
  generated: string;
}

/** Throws if the database has objects of a kind that the description would omit. */
export async function describeSchema(db: Queryable): Promise<SchemaDescription> {
  await refuseOtherKinds(db);
  const { rows: columns } = await sql<Column>`
    select c.relname as table, case c.relpersistence when 'u' then 'UNLOGGED TABLE' else 'TABLE' end as table_kind,
           array_to_string(c.reloptions, ', ') as table_options,
           a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
           (select quote_ident(l.collname) from pg_collation l, pg_type t
             where l.oid = a.attcollation and t.oid = a.atttypid and t.typcollation <> a.attcollation) as collation,
           a.attnotnull as not_null, pg_get_expr(d.adbin, d.adrelid) as default,
           a.attidentity as identity, a.attgenerated as generated
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind = 'r' and n.nspname = 'public' and c.relname <> 'schema_migrations'
    order by c.relname, a.attnum`.execute(db);
  const { rows: constraints } = await sql<{ table: string; name: string; definition: string }>`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and k.contype not in ('n', 't') and c.relname <> 'schema_migrations'
    order by c.relname, k.contype desc, k.conname`.execute(db);
  const { rows: indexes } = await sql<{ table: string; definition: string }>`
    select c.relname as table, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_class name on name.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relname <> 'schema_migrations'
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    order by c.relname, name.relname`.execute(db);
  const { rows: functions } = await sql<{ definition: string }>`
    select pg_get_functiondef(p.oid) as definition
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname`.execute(db);
  const { rows: sequences } = await sql<{ name: string; type: string; start: number; increment: number }>`
    select c.relname as name, format_type(s.seqtypid, null) as type, s.seqstart as start, s.seqincrement as increment
    from pg_sequence s join pg_class c on c.oid = s.seqrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')
    order by c.relname`.execute(db);
  const { rows: triggers } = await sql<{ definition: string }>`
    select pg_get_triggerdef(t.oid) as definition
    from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and not t.tgisinternal
    order by c.relname, t.tgname`.execute(db);
  const { rows: extensions } = await sql<{ name: string }>`
    select extname as name from pg_extension where extname <> 'plpgsql' order by extname`.execute(db);
  const tables = Map.groupBy(columns, (column) => column.table);
  return {
    sql: [
      "-- Generated from the migrations by `npm run schema`; do not edit.",
      ...(extensions.length === 0 ? [] : [extensions.map(({ name }) => `CREATE EXTENSION ${name};`).join("\n")]),
      ...[...tables].map(([table, value]) =>
        [
          `CREATE ${value[0]?.table_kind} ${table} (`,
          [
            ...value.map((column) => `  ${columnDefinition(column)}`),
            ...constraints.filter((k) => k.table === table).map((k) => `  CONSTRAINT ${k.name} ${k.definition}`),
          ].join(",\n"),
          value[0]?.table_options ? `) WITH (${value[0].table_options});` : ");",
          ...indexes.filter((index) => index.table === table).map((index) => `${index.definition};`),
        ].join("\n"),
      ),
      ...sequences.map(
        ({ name, type, start, increment }) =>
          `CREATE SEQUENCE ${name} AS ${type} START WITH ${start} INCREMENT BY ${increment};`,
      ),
      ...functions.map(({ definition }) => `${definition.trimEnd()};`),
      triggers.map(({ definition }) => `${definition};`).join("\n"),
    ]
      .join("\n\n")
      .concat("\n"),
    types: typesOf(tables),
  };
}

async function refuseOtherKinds(db: Queryable): Promise<void> {
  const { rows: otherObjects } = await sql<{ kind: string; name: string }>`
    with ours as (
      select 'relation' as kind, c.oid, c.relname as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind not in ('r', 'i', 'S', 'c')
      union all
      select 'type', t.oid, t.typname from pg_type t
        where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd', 'r')
      union all
      select 'statistics', s.oid, s.stxname from pg_statistic_ext s where s.stxnamespace = 'public'::regnamespace
      union all
      select 'policy', p.oid, p.polname from pg_policy p
    )
    select kind, name from ours where not exists (select from pg_depend d where d.objid = ours.oid and d.deptype = 'e')`.execute(
    db,
  );
  if (otherObjects.length > 0)
    throw new Error(
      `The schema has what server/tools/schema.ts cannot describe yet: ${otherObjects.map(({ kind, name }) => `${kind} ${name}`).join(", ")}.`,
    );
}

function columnDefinition(column: Column): string {
  const words = [column.column, column.type];
  if (column.collation !== null) words.push(`COLLATE ${column.collation}`);
  if (column.identity !== "") words.push(`GENERATED ${column.identity === "a" ? "ALWAYS" : "BY DEFAULT"} AS IDENTITY`);
  if (column.generated !== "")
    words.push(`GENERATED ALWAYS AS (${column.default}) ${column.generated === "s" ? "STORED" : "VIRTUAL"}`);
  else if (column.default !== null) words.push(`DEFAULT ${column.default}`);
  if (column.not_null) words.push("NOT NULL");
  return words.join(" ");
}

// For each PostgreSQL type, the types of a read value and of a written value, by the parsers of packages/postgres.
const typescript: Record<string, [read: string, write: string]> = {
  bigint: ["number", "number"],
  integer: ["number", "number"],
  smallint: ["number", "number"],
  real: ["number", "number"],
  "double precision": ["number", "number"],
  "integer[]": ["number[]", "number[]"],
  boolean: ["boolean", "boolean"],
  text: ["string", "string"],
  "text[]": ["string[]", "string[]"],
  "bigint[]": ["number[]", "number[]"],
  tsvector: ["string", "string"],
  uuid: ["string", "string"],
  bytea: ["Buffer", "Buffer"],
  jsonb: ["unknown", "unknown"],
  date: ["Date", "Date | string"],
  "timestamp with time zone": ["Date", "Date | string"],
};

function typesOf(tables: Map<string, Column[]>): string {
  const interfaces = [...tables].map(([table, columns]) => {
    const fields = columns.map((column) => {
      const pair = typescript[column.type];
      if (pair === undefined) throw new Error(`${table}.${column.column}: no TypeScript type for ${column.type}.`);
      const [read, write] = pair.map((type) => (column.not_null ? type : `${type} | null`)) as [string, string];
      if (column.generated !== "" || column.identity === "a") return `  ${column.column}: GeneratedAlways<${read}>;`;
      const optional = column.default !== null || column.identity !== "";
      if (optional) return `  ${column.column}: ColumnType<${read}, ${write} | undefined, ${write}>;`;
      if (read !== write) return `  ${column.column}: ColumnType<${read}, ${write}, ${write}>;`;
      return `  ${column.column}: ${read};`;
    });
    return `export interface ${interfaceName(table)} {\n${fields.join("\n")}\n}\n`;
  });
  const map = [...tables.keys()].map((table) => `  ${table}: ${interfaceName(table)};`);
  return [
    "// The tables as Kysely sees them. Generated from the migrations by `npm run schema`; do not edit.",
    `import type { ColumnType, GeneratedAlways } from "kysely";\n`,
    ...interfaces,
    `export interface Tables {\n${map.join("\n")}\n}\n`,
  ].join("\n");
}

const interfaceName = (table: string): string =>
  `${table
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}Table`;
