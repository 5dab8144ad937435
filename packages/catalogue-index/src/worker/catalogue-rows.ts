import { type BeatEntry, type CatalogueChange, type GenreEntry, noChange, type ProducerEntry } from "../entry.ts";
import type { Query } from "./snapshot-reader.ts";

// Rows are read as one JSON text for each column: making such texts is most of PostgreSQL's work for a million beats,
// and half as much by columns as by rows.

/** Columns of `beats`, in the order of `BeatColumns`. Floating-point microseconds are exact until the year 2255. */
const beatColumns = [
  "id",
  "title",
  "tags",
  "user_id",
  "genre_id",
  "tempo",
  "key_code",
  "list_price_cents(unsold_licenses, price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents)",
  "duration_seconds",
  "(date_part('epoch', created_at) * 1000000)::bigint",
  "popularity_key",
  "available_licenses(exclusive_state, unsold_licenses)",
].map((column) => `json_agg(${column})`);

type BeatColumns = [
  number[],
  string[],
  string[][],
  number[],
  number[],
  number[],
  number[],
  number[],
  number[],
  number[],
  number[],
  number[],
];

const selectBeats = (from: string): string =>
  `select max(id) as last, json_build_array(${beatColumns.join(", ")})::text as columns from ${from}`;
const producers = `
  select json_agg(json_build_array(id, display_name, coalesce(popularity_key, 0)))::text as rows
  from users left join producer_counts on user_id = id where is_producer`;
const genres = "select json_agg(json_build_array(id, name))::text as rows from genres";

const loadBatch = 5_000;

/** Reads all genres, producers and listed beats, in this order and in batches. */
export async function* loadCatalogue(query: Query): AsyncGenerator<CatalogueChange> {
  const [genreRows, producerRows] = await Promise.all([
    query<JsonRows>("all genres", genres),
    query<JsonRows>("all producers", producers),
  ]);
  yield { ...noChange, genres: genreEntries(genreRows), producers: producerEntries(producerRows) };
  const text = selectBeats(
    `(select * from beats where is_listed and id > $1::bigint order by id limit ${loadBatch}) as batch`,
  );
  const next = (after: number) => query<BeatRows>("beats after", text, [after]);
  for (let reading = next(0); ; ) {
    const [batch] = await reading;
    if (batch === undefined || batch.last === null) return;
    // PostgreSQL makes the next batch while this one is applied.
    reading = next(batch.last);
    reading.catch(() => {});
    yield { ...noChange, beats: beatEntries(batch) };
  }
}

/**
 * The changed ids. `formerProducers`: previous producers of these beats, since their popularity changes with the beats.
 */
export interface ChangedIds {
  beats: readonly number[];
  users: readonly number[];
  genres: readonly number[];
  formerProducers: readonly number[];
}

/** Reads these rows as they are in the transaction's snapshot, with the producers of the beats. */
export async function readChanged(query: Query, changedIds: ChangedIds): Promise<CatalogueChange> {
  const users = [...changedIds.users, ...changedIds.formerProducers];
  const none = Promise.resolve([]);
  const hasBeats = changedIds.beats.length > 0;
  const [beatRows, producerRows, genreRows] = await Promise.all([
    hasBeats
      ? query<BeatRows>("beats by id", selectBeats("beats where is_listed and id = any ($1::bigint[])"), [
          changedIds.beats,
        ])
      : none,
    hasBeats || users.length > 0
      ? query<JsonRows>(
          "producers by id",
          `${producers} and id = any (array(
             select unnest($1::bigint[]) union select user_id from beats where id = any ($2::bigint[])))`,
          [users, changedIds.beats],
        )
      : none,
    changedIds.genres.length > 0
      ? query<JsonRows>("genres by id", `${genres} where id = any ($1::bigint[])`, [changedIds.genres])
      : none,
  ]);
  const beats = beatRows[0] === undefined ? [] : beatEntries(beatRows[0]);
  const foundProducers = producerEntries(producerRows);
  const foundGenres = genreEntries(genreRows);
  return {
    beats,
    goneBeats: missing(changedIds.beats, beats),
    producers: foundProducers,
    goneProducers: missing(changedIds.users, foundProducers),
    genres: foundGenres,
    goneGenres: missing(changedIds.genres, foundGenres),
  };
}

interface BeatRows {
  /** Null without beats. */
  last: number | null;
  columns: string;
}

interface JsonRows {
  rows: string | null;
}

function beatEntries({ last, columns }: BeatRows): BeatEntry[] {
  if (last === null) return [];
  const [ids, titles, tags, producerIds, genreIds, tempos, keys, prices, durations, created, popularity, available] =
    JSON.parse(columns) as BeatColumns;
  return ids.map((id, n) => ({
    id,
    title: titles[n] as string,
    tags: tags[n] as string[],
    producerId: producerIds[n] as number,
    genreId: genreIds[n] as number,
    tempo: tempos[n] as number,
    keyCode: keys[n] as number,
    priceCents: prices[n] as number,
    durationSeconds: durations[n] as number,
    createdAtMicroseconds: created[n] as number,
    popularityKey: popularity[n] as number,
    availableLicenses: available[n] as number,
  }));
}

const parseRows = <Row>([result]: JsonRows[]): Row[] => JSON.parse(result?.rows ?? "[]");

const producerEntries = (rows: JsonRows[]): ProducerEntry[] =>
  parseRows<[number, string, number]>(rows).map(([id, name, popularityKey]) => ({ id, name, popularityKey }));

const genreEntries = (rows: JsonRows[]): GenreEntry[] =>
  parseRows<[number, string]>(rows).map(([id, name]) => ({ id, name }));

function missing(ids: readonly number[], rows: readonly { id: number }[]): number[] {
  const present = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !present.has(id));
}
