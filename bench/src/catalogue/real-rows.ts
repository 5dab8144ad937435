import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { parse } from "csv-parse";

/** The columns of the real catalogue that mappings/tracks_231k.json reads, as they stand in the file. */
export interface RealRow {
  source: string;
  source_row: string;
  title: string;
  artist: string;
  genre: string;
  tempo: string;
  key: string;
  mode: string;
  duration: string;
  duration_unit: string;
  popularity: string;
  release_date: string;
  play_count: string;
}

/** Reads a gzipped CSV as it is decompressed; rows that the importer would reject are left out. */
export async function* realRows(file: string): AsyncGenerator<RealRow> {
  const parser = parse({ columns: true, relax_column_count: true, relax_quotes: true });
  // An error of any of them ends the parser, which throws it here.
  const rows = pipeline(createReadStream(file), createGunzip(), parser, () => {});
  for await (const row of rows as AsyncIterable<RealRow>) if (isTakeable(row)) yield row;
}

function isTakeable({ title, artist, tempo }: RealRow): boolean {
  const isNamed = title.trim() !== "" && artist.trim() !== "" && artist !== "NA";
  return isNamed && Number(tempo) >= 1 && Number(tempo) < 900;
}
