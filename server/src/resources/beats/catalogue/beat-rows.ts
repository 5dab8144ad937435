import type { Reader } from "@beatmarket/postgres/connection/reader.ts";
import { type Beat, detailColumns, listColumns, listPriceSql } from "../beat.ts";
import { productionJson, type SingleBeat } from "../production.ts";
import type { WithoutGenre } from "./genre-names.ts";

// A statement of beats returns all its rows as one JSON text, an array for each row: the driver needs four times as long
// to read them cell by cell.

/** A beat as lists have it. */
export type BeatRow = WithoutGenre<Beat>;
export type SingleBeatRow = WithoutGenre<SingleBeat>;

// The name by a subselect: as a join, the planner would read all users rather than those of the rows, of which it expects 600.
const cellsOf = (columns: readonly string[]): string =>
  `${columns.join(", ")}, (select display_name from users where users.id = user_id), ${listPriceSql}`;

/** Makes a function that turns cells, in the order of these columns with the producer's name, the price of lists and `more` last, into a row. */
function rowParser<Row>(columns: readonly string[], more: readonly string[] = []): (cells: readonly unknown[]) => Row {
  const properties = [...columns, "producer_name", "list_price_cents", ...more].map((name, place) =>
    name.endsWith("_at") ? `${name}: new Date(cells[${place}])` : `${name}: cells[${place}]`,
  );
  // Generated, since a loop over the names takes twice as long; the names are those of our own table.
  return new Function("cells", `return { ${properties.join(", ")} };`) as (cells: readonly unknown[]) => Row;
}

const parseRow = rowParser<BeatRow>(listColumns);
const parseSingleRow = rowParser<SingleBeatRow>(detailColumns, ["production"]);

const select = (columns: readonly string[], from: string, more = ""): string =>
  `select json_agg(json_build_array(${cellsOf(columns)}${more})) as rows from ${from}`;

/** The statement that reads beats of `from`: the table, and a condition. */
export const selectBeats = (from: string): string => select(listColumns, from);
/** The same with all details, and what producers made of them. `from` is the table itself. */
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
