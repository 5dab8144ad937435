import type { Reader } from "../../../database/connection/reader.ts";
import { type Beat, type BeatDetail, detailColumns, listColumns } from "../beat.ts";
import type { WithoutGenre } from "./genre-names.ts";

// A statement of beats returns all its rows as one JSON text, an array for each row: the driver needs four times as long
// to read them cell by cell.

/** A beat as lists have it. */
export type BeatRow = WithoutGenre<Beat>;
export type BeatDetailRow = WithoutGenre<BeatDetail>;

/** The columns of `beats` that a row is made of. */
export const rowColumns = listColumns.join(", ");

// A subselect by the producer's key: as a join, the planner would read all users rather than those of a page, which it
// expects to have 600 rows. Where the producer is a parameter, the name is read once.
const cellsOf = (columns: readonly string[], producer: string): string =>
  `${columns.join(", ")}, (select display_name from users where users.id = ${producer})`;

/** Makes a function that turns cells, in the order of these columns with the producer's name last, into a row. */
function rowParser<Row>(columns: readonly string[]): (cells: readonly unknown[]) => Row {
  const properties = [...columns, "producer_name"].map((name, place) =>
    name.endsWith("_at") ? `${name}: new Date(cells[${place}])` : `${name}: cells[${place}]`,
  );
  // Generated, since a loop over the names takes twice as long; the names are those of our own table.
  return new Function("cells", `return { ${properties.join(", ")} };`) as (cells: readonly unknown[]) => Row;
}

const parseRow = rowParser<BeatRow>(listColumns);
const parseDetailRow = rowParser<BeatDetailRow>(detailColumns);

const select = (cells: string, from: string): string =>
  `select json_agg(json_build_array(${cells})) as rows from ${from}`;

/**
 * The statement that reads beats in the order of `from`, which has at least `rowColumns`. `producer` is the id of the
 * producer: a column, or a parameter where all beats are by one producer.
 */
export const selectBeats = (from: string, producer = "user_id"): string => select(cellsOf(listColumns, producer), from);
/** The same with all details, of `from` with all columns. */
export const selectBeatDetails = (from: string): string => select(cellsOf(detailColumns, "user_id"), from);

/** Runs a statement of `selectBeats`. */
export const readBeats = async (reader: Reader, text: string, parameters: unknown[]): Promise<BeatRow[]> =>
  (await readRows(reader, text, parameters)).map(parseRow);

/** Runs a statement of `selectBeatDetails`. */
export const readBeatDetails = async (
  reader: Pick<Reader, "query">,
  text: string,
  parameters: unknown[],
): Promise<BeatDetailRow[]> => (await readRows(reader, text, parameters)).map(parseDetailRow);

async function readRows(reader: Pick<Reader, "query">, text: string, parameters: unknown[]): Promise<unknown[][]> {
  const [result] = await reader.query<{ rows: unknown[][] | null }>(text, parameters);
  return result?.rows ?? [];
}
