import type { Reader } from "../../../database/connection/reader.ts";
import type { Beat, BeatDetail } from "../beat.ts";
import type { Genreless } from "./genre-names.ts";

// A statement of beats sends all its rows as one JSON text, an array each: the driver needs four times as long to read
// them cell by cell.

/** A beat as lists have it; with what the order by popularity goes by. */
export type BeatRow = Genreless<Beat> & { popularity_key: number };
export type BeatDetailRow = Genreless<BeatDetail>;

type Cells = [
  ...[id: number, title: string, userId: number, genreId: number, priceCents: number],
  ...[durationSeconds: number, tempo: number, key: string, audioUrl: string | null, coverImage: string | null],
  ...[createdAt: string, playCount: number, downloadCount: number, popularityKey: number, producerName: string],
];

/** The columns of `beats` that a row is made of. */
export const beatColumns = `id, title, user_id, genre_id, price_cents, duration_seconds, tempo, key, audio_url,
  cover_image, created_at, play_count, download_count, popularity_key`;

// The name one by one, by the producer's key: the planner would rather read all users once than those of a page that, for
// all it knows, has 600 rows. Where the producer is a parameter, the same is read once.
const cellsOf = (producer: string) => `${beatColumns}, (select display_name from users where users.id = ${producer})`;

const beatOf = (row: Cells): BeatRow => ({
  id: row[0],
  title: row[1],
  user_id: row[2],
  genre_id: row[3],
  price_cents: row[4],
  duration_seconds: row[5],
  tempo: row[6],
  key: row[7],
  audio_url: row[8],
  cover_image: row[9],
  created_at: new Date(row[10]),
  play_count: row[11],
  download_count: row[12],
  popularity_key: row[13],
  producer_name: row[14],
});

type DetailCells = [
  ...[beat: Cells, description: string, tags: string[]],
  ...[premiumPriceCents: number, unlimitedPriceCents: number, exclusivePriceCents: number],
  ...[isListed: boolean, exclusiveState: BeatDetail["exclusive_state"], updatedAt: string],
];

const detailCells = `json_build_array(${cellsOf("user_id")}), description, tags, premium_price_cents, unlimited_price_cents,
  exclusive_price_cents, is_listed, exclusive_state, updated_at`;

const detailOf = (row: DetailCells): BeatDetailRow => ({
  ...beatOf(row[0]),
  description: row[1],
  tags: row[2],
  premium_price_cents: row[3],
  unlimited_price_cents: row[4],
  exclusive_price_cents: row[5],
  is_listed: row[6],
  exclusive_state: row[7],
  updated_at: new Date(row[8]),
});

const select = (row: string, from: string): string => `select json_agg(json_build_array(${row})) as rows from ${from}`;

/**
 * The statement that reads beats, in the order of `from`, which has at least the columns of a beat. `producer` is the id of
 * who made them: a column, or a parameter where it is one for all.
 */
export const selectBeats = (from: string, producer = "user_id"): string => select(cellsOf(producer), from);
/** The same with all details, of `from` with all columns. */
export const selectBeatDetails = (from: string): string => select(detailCells, from);

/** Runs a statement of `selectBeats`. */
export const readBeats = async (reader: Reader, text: string, parameters: unknown[]): Promise<BeatRow[]> =>
  (await read<Cells>(reader, text, parameters)).map(beatOf);

/** Runs a statement of `selectBeatDetails`. */
export const readBeatDetails = async (reader: Reader, text: string, parameters: unknown[]): Promise<BeatDetailRow[]> =>
  (await read<DetailCells>(reader, text, parameters)).map(detailOf);

async function read<Row>(reader: Reader, text: string, parameters: unknown[]): Promise<Row[]> {
  const [answer] = await reader.query<{ rows: Row[] | null }>(text, parameters);
  return answer?.rows ?? [];
}
