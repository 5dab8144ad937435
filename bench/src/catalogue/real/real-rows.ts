import { createReadStream } from "node:fs";
import { PassThrough, pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { parse } from "csv-parse";

import type { Row } from "../row.ts";

/** A row of the file, unchanged. `source_row` is the number of the row in the original data set. */
export type RealRow = Omit<Row, "source_id" | "price"> & { source_row: string };

/** Reads a CSV, gzipped or not, as a stream. Skips rows that the importer would reject. */
export async function* realRows(file: string): AsyncGenerator<RealRow> {
  const columns = (header: string[]) => {
    const missingColumns = ["source", "source_row", "title", "artist", "tempo"].filter(
      (name) => !header.includes(name),
    );
    if (missingColumns.length > 0)
      throw new Error(`${file} lacks the columns ${missingColumns.join(", ")}, which mappings/tracks_231k.json reads.`);
    return header;
  };
  const parser = parse({ columns, relax_column_count: true, relax_quotes: true });
  const unzip = file.endsWith(".gz") ? createGunzip() : new PassThrough();
  // If any of the streams fails, the parser throws the error below.
  const rows = pipeline(createReadStream(file), unzip, parser, () => {});
  for await (const row of rows as AsyncIterable<RealRow>) if (isImportable(row)) yield row;
}

function isImportable({ title, artist, tempo }: RealRow): boolean {
  const isNamed = title.trim() !== "" && artist.trim() !== "" && artist !== "NA";
  return isNamed && Number(tempo) >= 1 && Number(tempo) < 900;
}
