import type { Clock } from "../../clock.ts";
import type { Database } from "../../database/connection/connect.ts";
import type { OptionalField } from "../beats/beat.ts";
import { beatRowParser, type ReadBeat } from "./fields/read-beat.ts";
import { DamagedFile, type FileBytes } from "./formats/file-bytes.ts";
import type { Row } from "./formats/row.ts";
import { openRows } from "./formats/rows.ts";
import { textChunks } from "./formats/text-chunks.ts";
import type { Mapping } from "./mapping.ts";
import { Announcements } from "./write/announcements.ts";
import { CatalogueWriter, type WrittenCounts } from "./write/catalogue-writer.ts";
import type { RejectsFile } from "./write/rejects-file.ts";

export interface ImportRequest {
  file: FileBytes;
  mapping: Mapping;
  rejects: RejectsFile;
  clock: Clock;
  /** If set, each beat created or changed emits an event; `publicUrl` is the origin of the URLs in it. */
  events?: { publicUrl: string } | undefined;
  /** Stops the import after the rows read so far. */
  signal?: AbortSignal;
  /** Called after each piece of the file. */
  onProgress?: (progress: ImportProgress) => void;
  /** Called with the process id of each PostgreSQL backend of the import. */
  onBackend?: (pid: number) => void;
  /** The most beats that are written together. */
  batchSize?: number;
}

export interface ImportProgress extends WrittenCounts {
  rejected: number;
  /** Rows read so far. */
  rows: number;
  /** Of the file as stored, compressed or not. */
  readBytes: number;
}

export interface ImportOutcome extends WrittenCounts {
  rejected: number;
  rows: number;
  /** How often a value was replaced, by what was wrong with it. */
  repairs: ReadonlyMap<string, number>;
  /** Other findings about the file, as sentences. */
  remarks: string[];
  /** Why the file was not read to its end; null if it was. */
  unread: string | null;
}

const usualBatchSize = 8000;
/** Batches start small and double in size, so that the database starts working early. */
const firstBatchSize = 2000;

/**
 * Imports the rows of a file into the catalogue (docs/import.md). Streams, so memory does not grow with the file. Counts
 * every row as created, updated, unchanged or rejected; importing the same file again leaves everything unchanged.
 * Throws an OperatorError if the file is not readable at all.
 */
export async function importCatalogue(database: Database, request: ImportRequest): Promise<ImportOutcome> {
  const { file, mapping, rejects, clock, events, signal, onProgress, batchSize = usualBatchSize } = request;
  const { onBackend = () => {} } = request;
  const nowMs = Math.floor(clock.nowMs() / 1000) * 1000;
  const texts = textChunks(file.chunks, mapping.encoding, file.name);
  const table = await openRows(texts, mapping, file.name);
  const parser = beatRowParser(mapping, table.indexOf, nowMs);
  const now = new Date(nowMs);
  const announcements = events === undefined ? null : new Announcements(events.publicUrl, now);
  const writer = await CatalogueWriter.open(database, optionalFields(mapping), now, announcements, onBackend);
  let rows = 0;
  let rejected = 0;
  let repeated = 0;
  let lastLine = 1;
  let batch = new Map<string, ReadBeat>();
  let wantedSize = Math.min(firstBatchSize, batchSize);
  const counts = () => ({ ...writer.counts, unchanged: writer.counts.unchanged + repeated, rejected, rows });
  let unread: string | null = null;
  try {
    try {
      for await (const piece of untilAborted(table.pieces, signal)) {
        for (const row of piece) {
          rows++;
          lastLine = row.line;
          const beat = row.problem ?? parser.parse(row, rows);
          if (typeof beat === "string") {
            rejects.add(row, beat);
            rejected++;
            continue;
          }
          const identity = `${beat.source}\0${beat.external_id}`;
          // The first row of an id wins.
          if (batch.has(identity)) repeated++;
          else batch.set(identity, beat);
          if (batch.size < wantedSize) continue;
          await writer.write(batch);
          batch = new Map();
          wantedSize = Math.min(wantedSize * 2, batchSize);
        }
        await rejects.flush();
        onProgress?.({ ...counts(), readBytes: file.readBytes() });
      }
      if (signal?.aborted === true) unread = `stopped behind line ${lastLine}`;
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      unread = `behind line ${lastLine}, ${error.message}`;
    }
    await writer.write(batch);
    await writer.finish();
    await rejects.flush();
  } finally {
    await writer.close();
  }
  const remarks = table.missingColumns().map((column) => `No row has a column ${column}.`);
  if (unread === null && table.endsWithinLine())
    remarks.push(
      `Line ${lastLine}, the last, has no line break: if the file was cut off, its last value is incomplete.`,
    );
  return { ...counts(), repairs: parser.repairs, remarks, unread };
}

/** Ends when the signal aborts, even while waiting for a piece, as of an idle pipe. */
async function* untilAborted(pieces: AsyncIterable<Row[]>, signal: AbortSignal | undefined): AsyncGenerator<Row[]> {
  const iterator = pieces[Symbol.asyncIterator]();
  let wake = (): void => {};
  signal?.addEventListener("abort", () => wake());
  while (signal?.aborted !== true) {
    const next = await new Promise<IteratorResult<Row[]> | null>((resolve, reject) => {
      wake = () => resolve(null);
      iterator.next().then(resolve, reject);
    });
    if (next === null || next.done === true) return;
    yield next.value;
  }
}

function optionalFields({ fields }: Mapping): OptionalField[] {
  const { title, producer, tempo, external_id, ...optional } = fields;
  return Object.keys(optional) as OptionalField[];
}
