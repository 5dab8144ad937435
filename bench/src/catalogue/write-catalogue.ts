import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { type RealRow, realRows } from "./real/real-rows.ts";
import { Variation } from "./real/variation.ts";
import type { Row } from "./row.ts";
import { seededRows } from "./seeded/seeded-rows.ts";

/** The source of rows: a seeded catalogue, or a real one. */
export type CatalogueSource =
  | { seed: number }
  /** A CSV, gzipped or not, in the columns of mappings/tracks_231k.json. */
  | { realFile: string };

const columns = [
  "source",
  "source_id",
  "title",
  "artist",
  "genre",
  "tempo",
  "key",
  "mode",
  "duration",
  "duration_unit",
  "popularity",
  "release_date",
  "play_count",
  "price",
] as const satisfies (keyof Row)[];

/**
 * Writes `rows` rows as CSV, streaming. Each `edition` of a source has different rows and ids. The catalogue is edition
 * 0.
 */
export async function writeCatalogue(
  file: string,
  { source, rows, edition = 0 }: { source: CatalogueSource; rows: number; edition?: number },
  onRows: (rows: number) => void,
): Promise<void> {
  const output = createWriteStream(file);
  const outputEnd = finished(output);
  let chunk = `${columns.join(",")}\n`;
  let rowCount = 0;
  for await (const row of rowsOf(source, rows, edition)) {
    chunk += `${columns.map((column) => cell(row[column])).join(",")}\n`;
    rowCount++;
    if (chunk.length < 65_536) continue;
    if (!output.write(chunk)) await Promise.race([once(output, "drain"), outputEnd]);
    chunk = "";
    onRows(rowCount);
  }
  output.end(chunk);
  await outputEnd;
}

/** Larger than any seed in use, so that no edition equals edition 0 of another seed. */
const editionStep = 1_000_003;
/** Rounds of one edition of a real file: more than any catalogue needs. */
const roundsOfEdition = 1_000;

/** The rows of a source. Each `edition` has different rows and ids. */
export const rowsOf = (source: CatalogueSource, rows: number, edition: number): Iterable<Row> | AsyncIterable<Row> =>
  "seed" in source
    ? seededRows(rows, source.seed + edition * editionStep)
    : variedRows(source.realFile, rows, edition * roundsOfEdition);

/**
 * Repeats the rows of a real file, varied from the second round on, until there are enough. A smaller number is picked
 * evenly, so that a small catalogue has the sources and genres of a large one.
 */
async function* variedRows(realFile: string, rows: number, firstRound: number): AsyncGenerator<Row> {
  const inFile = await count(realRows(realFile));
  if (inFile === 0) throw new Error(`${realFile} has no row with title, producer and tempo.`);
  const variation = new Variation();
  for (let round = 0; round * inFile < rows; round++) {
    const rowsOfRound = Math.min(inFile, rows - round * inFile);
    let position = 0;
    for await (const real of realRows(realFile)) {
      if (isSelected(position++, rowsOfRound, inFile)) yield variation.next(real, firstRound + round);
    }
  }
}

/** Selects `count` of `total` positions, evenly. */
const isSelected = (position: number, count: number, total: number): boolean =>
  Math.floor((position * count) / total) < Math.floor(((position + 1) * count) / total);

async function count(rows: AsyncIterable<RealRow>): Promise<number> {
  let total = 0;
  for await (const _ of rows) total++;
  return total;
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
