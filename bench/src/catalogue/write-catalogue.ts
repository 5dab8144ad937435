import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { type RealRow, realRows } from "./real-rows.ts";
import { type Row, Variation } from "./variation.ts";

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

export interface CatalogueRequest {
  /** A gzipped CSV in the columns of mappings/tracks_231k.json. */
  realFile: string;
  /** How many rows to make of it. */
  rows: number;
  /** Round 0, the usual first, is the real rows as they are; later ones share no row with those before. */
  firstRound?: number;
}

/** Writes that many rows as CSV. Memory stays flat, however many there are. */
export async function writeCatalogue(file: string, request: CatalogueRequest, onRows: (rows: number) => void) {
  const output = createWriteStream(file);
  const done = finished(output);
  let chunk = `${columns.join(",")}\n`;
  let written = 0;
  for await (const row of catalogueRows(request)) {
    chunk += `${columns.map((column) => cell(row[column])).join(",")}\n`;
    written++;
    if (chunk.length < 65_536) continue;
    if (!output.write(chunk)) await Promise.race([once(output, "drain"), done]);
    chunk = "";
    onRows(written);
  }
  output.end(chunk);
  await done;
}

/**
 * All real rows again and again, varied, until there are enough. Where not all of them are needed, those taken lie evenly
 * among them: sources and genres of a small catalogue are those of a large one.
 */
async function* catalogueRows({ realFile, rows, firstRound = 0 }: CatalogueRequest): AsyncGenerator<Row> {
  const inFile = await count(realRows(realFile));
  if (inFile === 0) throw new Error(`${realFile} has no row with title, producer and tempo.`);
  const variation = new Variation();
  for (let round = 0; round * inFile < rows; round++) {
    const wanted = Math.min(inFile, rows - round * inFile);
    let at = 0;
    for await (const real of realRows(realFile)) {
      if (isTaken(at++, wanted, inFile)) yield variation.next(real, firstRound + round);
    }
  }
}

/** Picks `wanted` of `all` positions, evenly. */
const isTaken = (position: number, wanted: number, all: number): boolean =>
  Math.floor((position * wanted) / all) < Math.floor(((position + 1) * wanted) / all);

async function count(rows: AsyncIterable<RealRow>): Promise<number> {
  let total = 0;
  for await (const _ of rows) total++;
  return total;
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
