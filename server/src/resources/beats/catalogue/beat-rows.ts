import type { Reader } from "@beatmarket/postgres/connection/reader.ts";
import { type Beat, detailColumns, listColumns, listPriceSql } from "../beat.ts";
import { productionJson, type SingleBeat } from "../production.ts";
import type { WithoutGenre } from "./genre-names.ts";

// A statement of beats returns all its rows as one JSON text, with an array for each row, since the driver needs four
// times as long to read single cells.

/** A beat with the fields of lists. */
export type BeatRow = WithoutGenre<Beat>;
export type SingleBeatRow = WithoutGenre<SingleBeat>;

// The name is read by a subselect. With a join, the planner would read all users instead of those of the rows, since it
// expects 600 rows.
const cellsOf = (columns: readonly string[]): string =>
  `${columns.join(", ")}, (select display_name from users where users.id = user_id), ${listPriceSql}`;

/**
 * Makes a function that converts cells into a row. The cells are in the order of these columns, followed by the
 * producer's name, the price of lists and `more`.
 */
function rowParser<Row>(columns: readonly string[], more: readonly string[] = []): (cells: readonly unknown[]) => Row {
  const properties = [...columns, "producer_name", "list_price_cents", ...more].map((name, place) =>
    name.endsWith("_at") ? `${name}: new Date(cells[${place}])` : `${name}: cells[${place}]`,
  );
  // Generated code, since a loop over the names takes twice as long. The names are those of our own table.
  return new Function("cells", `return { ${properties.join(", ")} };`) as (cells: readonly unknown[]) => Row;
}

const parseRow = rowParser<BeatRow>(listColumns);
const parseSingleRow = rowParser<SingleBeatRow>(detailColumns, ["production"]);

const select = (columns: readonly string[], from: string, more = ""): string =>
  `select json_agg(json_build_array(${cellsOf(columns)}${more})) as rows from ${from}`;

/** The statement that reads beats. `from` is the table and a condition. */
export const selectBeats = (from: string): string => select(listColumns, from);
/** The same with all details, and the production. `from` is the table itself. */
export const selectSingleBeats = (from: string): string => select(detailColumns, from, `, ${productionJson}`);

/** Runs a statement of `selectBeats`. */
export const readBeats = async (reader: Reader, text: string, parameters: unknown[]): Promise<BeatRow[]> =>
  (await readRows(reader, text, parameters)).map(parseRow);

/** Runs a statement of `selectSingleBeats`. */
export const readSingleBeats = async (
  reader: Pick<Reader, "query">,
  text: string,
  parameters: unknown[],
): Promise<SingleBeatRow[]> => (await readRows(reader, text, parameters)).map(parseSingleRow);

async function readRows(reader: Pick<Reader, "query">, text: string, parameters: unknown[]): Promise<unknown[][]> {
  const [result] = await reader.query<{ rows: unknown[][] | null }>(text, parameters);
  return result?.rows ?? [];
}
