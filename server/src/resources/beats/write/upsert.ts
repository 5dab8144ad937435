import { CompiledQuery, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { type ImportedBeat, type ImportedColumn, importedColumns, type OptionalField } from "../beat.ts";
import { isFrozen } from "../licensing/exclusive.ts";

type ImportKind = (typeof importedColumns)[number]["kind"];

/** A column that an import writes, with its SQL expressions: `imported` is the imported row, `b` the existing beat. */
interface Column {
  name: string;
  /** The element type of the array that sends the values. */
  type: string;
  cellOf: (beat: ImportedBeat) => string | number | null;
  /** The value for a new row; $1 is the time of the import. */
  inserted: string;
  /** Whether the import changes the value of an existing row. */
  differs: string;
  /** The value for an existing row. */
  updated: string;
}

function columnOf(name: ImportedColumn, kind: ImportKind): Column {
  const imported = `imported.${name}`;
  const existing = `b.${name}`;
  const plain = { name, inserted: imported, differs: `${imported} is distinct from ${existing}`, updated: imported };
  switch (kind) {
    case "count":
      return {
        ...plain,
        type: "bigint",
        cellOf: (beat) => beat[name] as number,
        differs: `${imported} > ${existing}`,
        updated: `greatest(${imported}, ${existing})`,
      };
    case "time":
      // Seconds since the epoch are cheaper to write and parse than the text of a date.
      return {
        name,
        type: "float8",
        cellOf: (beat) => secondsOf(beat[name] as Date | null),
        inserted: `coalesce(to_timestamp(${imported}), $1)`,
        differs: `to_timestamp(${imported}) <> ${existing}`,
        updated: `coalesce(to_timestamp(${imported}), ${existing})`,
      };
    case "texts":
      // The rows of a PostgreSQL array of arrays must have equal length, so each array is sent as text.
      return {
        name,
        type: "text",
        cellOf: (beat) => arrayText(beat[name] as readonly string[]),
        inserted: `${imported}::text[]`,
        differs: `${imported}::text[] <> ${existing}`,
        updated: `${imported}::text[]`,
      };
    default:
      return { ...plain, type: kind, cellOf: (beat) => beat[name] as string | number | null };
  }
}

const secondsOf = (date: Date | null): number | null => date && date.getTime() / 1000;

const identity = [columnOf("source", "text"), columnOf("external_id", "text")];
const importColumns = importedColumns.map(({ name, kind, field }) => ({ ...columnOf(name, kind), field }));
/** Columns without a default: a new beat gets a value even if the catalogue lacks the field. */
const requiredOnInsert: readonly (OptionalField | undefined)[] = ["genre", "created_at"];

/** An imported beat that exists in the catalogue, with its id. */
export interface ExistingBeat<Beat = ImportedBeat> {
  id: number;
  beat: Beat;
}

/** The identity of an imported beat. */
type Identified = Pick<ImportedBeat, "source" | "external_id">;

/**
 * Sorts the rows of an import into new and existing beats, and drops repetitions of an earlier row. A temporary table
 * has the ids of earlier rows, so that memory does not grow.
 */
export class ImportedBefore {
  readonly #db: Queryable;
  /** Beats with higher ids were created during this import, by the import or concurrently. */
  readonly #lastIdBefore: number;

  private constructor(db: Queryable, lastIdBefore: number) {
    this.#db = db;
    this.#lastIdBefore = lastIdBefore;
  }

  /** `db` must be the same connection for the whole import. */
  static async begin(db: Queryable): Promise<ImportedBefore> {
    await sql`create temporary table if not exists imported_before (beat_id bigint primary key)`.execute(db);
    await sql`truncate imported_before`.execute(db);
    const { rows } = await sql<{ id: number | null }>`select max(id) as id from beats`.execute(db);
    return new ImportedBefore(db, rows[0]?.id ?? 0);
  }

  /**
   * Sorts rows, whose identities must differ. A row in neither result repeats an earlier row, or its beat was created
   * concurrently.
   */
  async sort<Beat extends Identified>(
    beats: readonly Beat[],
  ): Promise<{ newBeats: Beat[]; existingBeats: ExistingBeat<Beat>[] }> {
    const importedBeats = await findImported(this.#db, beats);
    const before = importedBeats.existingBeats.filter(({ id }) => id <= this.#lastIdBefore);
    if (before.length === 0) return { newBeats: importedBeats.newBeats, existingBeats: [] };
    const { rows: firsts } = await sql<{ beat_id: number }>`
      insert into imported_before
      select unnest(${arrayText(before.map(({ id }) => id))}::bigint[])
      on conflict do nothing
      returning beat_id`.execute(this.#db);
    const firstIds = new Set(firsts.map(({ beat_id }) => beat_id));
    return { newBeats: importedBeats.newBeats, existingBeats: before.filter(({ id }) => firstIds.has(id)) };
  }
}

/** Splits beats into existing beats (`existingBeats`) and new beats (`newBeats`). */
export async function findImported<Beat extends Identified>(
  db: Queryable,
  beats: readonly Beat[],
): Promise<{ newBeats: Beat[]; existingBeats: ExistingBeat<Beat>[] }> {
  const { rows } = await sql<{ place: number; id: number }>`
    select imported.place::integer as place, b.id
    from unnest(
      ${arrayText(beats.map(({ source }) => source))}::text[],
      ${arrayText(beats.map(({ external_id }) => external_id))}::text[]
    ) with ordinality as imported (source, external_id, place)
    join beats b on b.source = imported.source and b.external_id = imported.external_id`.execute(db);
  const ids = new Map(rows.map(({ place, id }) => [place - 1, id]));
  return {
    newBeats: beats.filter((_, place) => !ids.has(place)),
    existingBeats: beats.flatMap((beat, place) => {
      const id = ids.get(place);
      return id === undefined ? [] : { id, beat };
    }),
  };
}

/**
 * The statements that write the beats of an import. Existing beats are updated where the imported catalogue differs;
 * counts never decrease, and a missing date changes nothing.
 */
export class BeatUpsert {
  readonly #now: string;
  readonly #compared: Column[];
  readonly #inserted: Column[];

  /** `mapped` are the optional fields of the catalogue; existing beats keep their values of the other fields. */
  constructor(mapped: readonly OptionalField[], now: Date) {
    this.#now = now.toISOString();
    const isMapped = ({ field }: { field: OptionalField | undefined }) => field === undefined || mapped.includes(field);
    this.#compared = importColumns.filter(isMapped);
    const writtenColumns = importColumns.filter(
      (column) => isMapped(column) || requiredOnInsert.includes(column.field),
    );
    this.#inserted = [...identity, ...writtenColumns];
  }

  /** Creates all or none of the beats. Fails with a unique violation if one of them was created concurrently. */
  async insert(db: Queryable, beats: readonly ImportedBeat[]): Promise<void> {
    await run(
      db,
      `insert into beats (${names(this.#inserted)}, updated_at)
       select ${this.#inserted.map(({ inserted }) => inserted).join(", ")}, $1::timestamptz
       from (select ${unnestColumns(this.#inserted, 2)}) as imported`,
      [this.#now, ...arraysOf(this.#inserted, beats)],
    );
  }

  /**
   * The existing beats that differ from the imported catalogue, except beats with a production, such as those that
   * their producer has edited.
   */
  async changed(db: Queryable, existing: readonly ExistingBeat[]): Promise<ExistingBeat[]> {
    if (existing.length === 0) return [];
    const beats = existing.map(({ beat }) => beat);
    const rows = await run<{ place: number }>(
      db,
      `select imported.place::integer as place
       from (
         select unnest($1::bigint[]) as id, generate_subscripts($1::bigint[], 1) as place, ${unnestColumns(this.#compared, 2)}
       ) as imported
       join beats b on b.id = imported.id
       where (${this.#compared.map(({ differs }) => differs).join(" or ")})
         and not exists (select from beat_productions where beat_id = b.id)`,
      [arrayText(existing.map(({ id }) => id)), ...arraysOf(this.#compared, beats)],
    );
    return rows.flatMap(({ place }) => existing[place - 1] ?? []);
  }

  /** Updates all or none of the beats, except frozen beats. Returns the number of updated beats. */
  async update(db: Queryable, changedBeats: readonly ExistingBeat[]): Promise<number> {
    const columns = this.#compared;
    const beats = changedBeats.map(({ beat }) => beat);
    const frozen = isFrozen(sql.raw("$1")).compile(db).sql;
    const text = `update beats b set ${columns.map(({ name, updated }) => `${name} = ${updated}`).join(", ")}, updated_at = $1
       from (select unnest($2::bigint[]) as id, ${unnestColumns(columns, 3)}) as imported
       where b.id = imported.id
         and not ${frozen}`;
    const parameters = [this.#now, arrayText(changedBeats.map(({ id }) => id)), ...arraysOf(columns, beats)];
    const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, parameters));
    return Number(numAffectedRows ?? 0);
  }
}

const run = async <Row>(db: Queryable, text: string, parameters: unknown[]): Promise<Row[]> =>
  (await db.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;

const names = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(", ");

/** Unnests arrays in the select list, which streams them; in FROM, PostgreSQL would copy each array first. */
const unnestColumns = (columns: readonly Column[], first: number): string =>
  columns.map(({ name, type }, index) => `unnest($${first + index}::${type}[]) as ${name}`).join(", ");

const arraysOf = (columns: readonly Column[], beats: readonly ImportedBeat[]): string[] =>
  columns.map(({ cellOf }) => arrayText(beats.map(cellOf)));

/** The text of a PostgreSQL array. It escapes quotes and backslashes as JSON does, and no other characters. */
function arrayText(values: readonly (string | number | null)[]): string {
  const json = JSON.stringify(values);
  const elements = /\\[^"\\]/.test(json) ? `[${values.map(quoted).join(",")}]` : json;
  return `{${elements.slice(1, -1)}}`;
}

const quoted = (value: string | number | null): string =>
  typeof value === "string" ? `"${value.replace(/["\\]/g, "\\$&")}"` : `${value}`;
