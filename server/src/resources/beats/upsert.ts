import { CompiledQuery, sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { searchVector } from "../../search-words.ts";
import type { LicencePrices } from "./licensing/prices.ts";
import type { MusicalKey } from "./musical-key.ts";

/** A beat as an imported catalogue has it. */
export interface ImportedBeat extends MusicalKey, LicencePrices {
  /** Where it comes from, and its id there: together what makes it the same beat in the next import. */
  source: string;
  externalId: string;
  userId: number;
  producerName: string;
  genreId: number;
  title: string;
  tempo: number;
  durationSeconds: number;
  popularity: number;
  playCount: number;
  downloadCount: number;
  audioUrl: string | null;
  coverImage: string | null;
  description: string;
  tags: readonly string[];
  /** Null when the catalogue does not say. */
  createdAtMs: number | null;
}

/** The fields that a catalogue may lack: then a beat keeps what it has. */
export type OptionalField =
  | "genre"
  | "key"
  | "duration"
  | "created_at"
  | "popularity"
  | "play_count"
  | "download_count"
  | "audio_url"
  | "cover_image"
  | "description"
  | "tags";

/** Columns of equal length, as unnest takes them. */
type Column = { name: string; type: string; of: (beat: ImportedBeat) => string | number | null };

const always: Column[] = [
  { name: "user_id", type: "bigint", of: (beat) => beat.userId },
  { name: "title", type: "text", of: (beat) => beat.title },
  { name: "tempo", type: "float8", of: (beat) => beat.tempo },
  { name: "price_cents", type: "integer", of: (beat) => beat.priceCents },
  { name: "premium_price_cents", type: "integer", of: (beat) => beat.premiumPriceCents },
  { name: "unlimited_price_cents", type: "integer", of: (beat) => beat.unlimitedPriceCents },
  { name: "exclusive_price_cents", type: "integer", of: (beat) => beat.exclusivePriceCents },
];

const optional: Record<OptionalField, Column[]> = {
  genre: [{ name: "genre_id", type: "bigint", of: (beat) => beat.genreId }],
  key: [
    { name: "key", type: "text", of: (beat) => beat.key },
    { name: "key_code", type: "smallint", of: (beat) => beat.keyCode },
  ],
  duration: [{ name: "duration_seconds", type: "integer", of: (beat) => beat.durationSeconds }],
  // As seconds since the epoch: much less to write and to read than a date's text.
  created_at: [{ name: "created_at", type: "float8", of: ({ createdAtMs }) => createdAtMs && createdAtMs / 1000 }],
  popularity: [{ name: "popularity", type: "smallint", of: (beat) => beat.popularity }],
  play_count: [{ name: "play_count", type: "bigint", of: (beat) => beat.playCount }],
  download_count: [{ name: "download_count", type: "bigint", of: (beat) => beat.downloadCount }],
  audio_url: [{ name: "audio_url", type: "text", of: (beat) => beat.audioUrl }],
  cover_image: [{ name: "cover_image", type: "text", of: (beat) => beat.coverImage }],
  description: [{ name: "description", type: "text", of: (beat) => beat.description }],
  // An array of arrays would need rows of equal length; each travels as the text of one.
  tags: [{ name: "tags", type: "text", of: (beat) => arrayText(beat.tags) }],
};

const identity: Column[] = [
  { name: "source", type: "text", of: (beat) => beat.source },
  { name: "external_id", type: "text", of: (beat) => beat.externalId },
];
const search: Column = {
  name: "search",
  type: "text",
  of: ({ title, producerName }) =>
    searchVector([
      { text: title, weight: "A" },
      { text: producerName, weight: "B" },
    ]),
};

/** A beat that is there already, and its id. */
export interface KnownBeat<Beat = ImportedBeat> {
  id: number;
  beat: Beat;
}

/** What identifies an imported beat. */
type Identified = Pick<ImportedBeat, "source" | "externalId">;

/**
 * Tells which rows of an import are new, which are there already, and which repeat a row of the same import, whose
 * first row wins. Keeps what it has seen in the database, so that memory does not grow.
 */
export class ImportedBefore {
  readonly #db: Queryable;
  /** Beats with higher ids were made by this import, or beside it. */
  readonly #lastIdBefore: number;

  private constructor(db: Queryable, lastIdBefore: number) {
    this.#db = db;
    this.#lastIdBefore = lastIdBefore;
  }

  /** On a connection that stays with it for the whole import. */
  static async begin(db: Queryable): Promise<ImportedBefore> {
    await sql`create temporary table if not exists imported_before (beat_id bigint primary key)`.execute(db);
    await sql`truncate imported_before`.execute(db);
    const { rows } = await sql<{ id: number | null }>`select max(id) as id from beats`.execute(db);
    return new ImportedBefore(db, rows[0]?.id ?? 0);
  }

  /** Of rows with different identities. What is in neither answer repeats an earlier row. */
  async sort<Beat extends Identified>(beats: readonly Beat[]): Promise<{ fresh: Beat[]; known: KnownBeat<Beat>[] }> {
    const found = await findImported(this.#db, beats);
    const before = found.known.filter(({ id }) => id <= this.#lastIdBefore);
    if (before.length === 0) return { fresh: found.fresh, known: [] };
    const { rows: firsts } = await sql<{ beat_id: number }>`
      insert into imported_before
      select unnest(${arrayText(before.map(({ id }) => id))}::bigint[])
      on conflict do nothing
      returning beat_id`.execute(this.#db);
    const firstIds = new Set(firsts.map(({ beat_id }) => beat_id));
    return { fresh: found.fresh, known: before.filter(({ id }) => firstIds.has(id)) };
  }
}

/** Splits beats into those that are there already and those that are not. */
export async function findImported<Beat extends Identified>(
  db: Queryable,
  beats: readonly Beat[],
): Promise<{ fresh: Beat[]; known: KnownBeat<Beat>[] }> {
  const { rows } = await sql<{ place: number; id: number }>`
    select given.place::integer as place, b.id
    from unnest(
      ${arrayText(beats.map(({ source }) => source))}::text[],
      ${arrayText(beats.map(({ externalId }) => externalId))}::text[]
    ) with ordinality as given (source, external_id, place)
    join beats b on b.source = given.source and b.external_id = given.external_id`.execute(db);
  const ids = new Map(rows.map(({ place, id }) => [place - 1, id]));
  return {
    fresh: beats.filter((_, place) => !ids.has(place)),
    known: beats.flatMap((beat, place) => {
      const id = ids.get(place);
      return id === undefined ? [] : { id, beat };
    }),
  };
}

/**
 * The statements that write one import's beats. What a catalogue says of a beat that is there already is written where
 * it differs, except that counts never go back and a missing date changes nothing.
 */
export class BeatUpsert {
  readonly #now: string;
  readonly #compared: Column[];
  readonly #inserted: Column[];

  /** `mapped` are the optional fields that the catalogue has; a beat keeps what it has of the others. */
  constructor(mapped: readonly OptionalField[], now: Date) {
    this.#now = now.toISOString();
    this.#compared = [...always, ...mapped.flatMap((field) => optional[field])];
    const unmapped = (["genre", "created_at"] as const).filter((field) => !mapped.includes(field));
    this.#inserted = [...identity, ...this.#compared, ...unmapped.flatMap((field) => optional[field]), search];
  }

  /** Makes all or none of the beats. Fails with a unique violation when somebody else made one of them meanwhile. */
  async insert(db: Queryable, beats: readonly ImportedBeat[]): Promise<void> {
    await run(
      db,
      `insert into beats (${names(this.#inserted)}, updated_at)
       select ${this.#inserted.map(stored).join(", ")}, $1::timestamptz
       from (select ${unnested(this.#inserted, 2)}) as given`,
      [this.#now, ...arrays(this.#inserted, beats)],
    );
  }

  /** Of beats that are there already, those that the catalogue now describes otherwise. */
  async changed(db: Queryable, known: readonly KnownBeat[]): Promise<KnownBeat[]> {
    if (known.length === 0) return [];
    const beats = known.map(({ beat }) => beat);
    const rows = await run<{ place: number }>(
      db,
      `select given.place::integer as place
       from (
         select unnest($1::bigint[]) as id, generate_subscripts($1::bigint[], 1) as place, ${unnested(this.#compared, 2)}
       ) as given
       join beats b on b.id = given.id
       where ${this.#compared.map(differs).join(" or ")}`,
      [arrayText(known.map(({ id }) => id)), ...arrays(this.#compared, beats)],
    );
    return rows.flatMap(({ place }) => known[place - 1] ?? []);
  }

  /** Writes all or none of the changes. */
  async update(db: Queryable, changed: readonly KnownBeat[]): Promise<void> {
    const columns = [...this.#compared, search];
    const beats = changed.map(({ beat }) => beat);
    await run(
      db,
      `update beats b set ${columns.map((column) => `${column.name} = ${updated(column)}`).join(", ")}, updated_at = $1
       from (select unnest($2::bigint[]) as id, ${unnested(columns, 3)}) as given
       where b.id = given.id`,
      [this.#now, arrayText(changed.map(({ id }) => id)), ...arrays(columns, beats)],
    );
  }
}

const run = async <Row>(db: Queryable, text: string, parameters: unknown[]): Promise<Row[]> =>
  (await db.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;

const names = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(", ");

/** For a list of what is selected, where arrays are taken apart as rows are asked for; in FROM, each would be copied. */
const unnested = (columns: readonly Column[], first: number): string =>
  columns.map(({ name, type }, index) => `unnest($${first + index}::${type}[]) as ${name}`).join(", ");

const arrays = (columns: readonly Column[], beats: readonly ImportedBeat[]): string[] =>
  columns.map(({ of }) => arrayText(beats.map(of)));

function differs({ name }: Column): string {
  if (name === "play_count" || name === "download_count") return `given.${name} > b.${name}`;
  if (name === "created_at") return "to_timestamp(given.created_at) <> b.created_at";
  if (name === "tags") return `given.tags::text[] <> b.tags`;
  return `given.${name} is distinct from b.${name}`;
}

function updated({ name }: Column): string {
  if (name === "play_count" || name === "download_count") return `greatest(given.${name}, b.${name})`;
  if (name === "created_at") return "coalesce(to_timestamp(given.created_at), b.created_at)";
  return `given.${stored({ name })}`;
}

/** The expression of a column's value for a new row; $1 is the time of the import. */
function stored({ name }: Pick<Column, "name">): string {
  if (name === "search") return "search::tsvector";
  if (name === "tags") return "tags::text[]";
  if (name === "created_at") return "coalesce(to_timestamp(created_at), $1)";
  return name;
}

/** PostgreSQL's text of an array: it escapes quotes and backslashes as JSON does, other characters not at all. */
function arrayText(values: readonly (string | number | null)[]): string {
  const json = JSON.stringify(values);
  const elements = /\\[^"\\]/.test(json) ? `[${values.map(quoted).join(",")}]` : json;
  return `{${elements.slice(1, -1)}}`;
}

const quoted = (value: string | number | null): string =>
  typeof value === "string" ? `"${value.replace(/["\\]/g, "\\$&")}"` : `${value}`;
