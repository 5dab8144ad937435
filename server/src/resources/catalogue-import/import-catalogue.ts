import type { ReportFile } from "@beatmarket/tabular-files/report-file.ts";
import type { Database } from "../../database/connect.ts";
import type { OptionalField } from "../beats/beat.ts";
import type { ReadBeat } from "./fields/read-beat.ts";
import type { Mapping } from "./mapping.ts";
import { type BeatFile, importTime, type ReadOutcome, readBeats } from "./read-beats.ts";
import { Announcements } from "./write/announcements.ts";
import { CatalogueWriter, type WrittenCounts } from "./write/catalogue-writer.ts";

export interface ImportRequest extends BeatFile {
  /** Receives each rejected row: `{line, reason, row}`. */
  rejects: ReportFile;
  /** Receives each replaced value: `{line, field, problem, given, taken}`. */
  repairs: ReportFile;
  /**
   * If set, each beat that is created, or whose response changes, emits an event; `publicUrl` is the origin of the URLs
   * in the event.
   */
  events?: { publicUrl: string } | undefined;
  /** Called with each rejected row. */
  onRejected?: (row: RejectedRow) => void;
  /** Called after each chunk of the file. */
  onProgress?: (progress: ImportProgress) => void;
  /** Called with the process id of each PostgreSQL backend of the import. */
  onBackend?: (pid: number) => void;
  /** The maximum number of beats that are written together. */
  batchSize?: number;
}

export interface RejectedRow {
  /** The problem without the row's values: "tempo: empty". */
  problem: string;
  line: number;
  reason: string;
  /** The text of the row in the file. */
  row: string;
}

export interface ImportProgress extends WrittenCounts {
  rejected: number;
  /** Rows read so far. */
  rows: number;
  /** Bytes read from the file, before decompression. */
  readBytes: number;
}

export interface ImportOutcome extends WrittenCounts, ReadOutcome {}

const defaultBatchSize = 8000;
/** Batches start small and double in size, so that the database starts working early. */
const firstBatchSize = 2000;

/**
 * Imports the rows of a file into the catalogue (docs/import.md). Counts every row as created, updated, unchanged or
 * rejected. A second import of the same file changes nothing. Beats whose exclusive license is held or sold stay
 * unchanged. Rows of producers whose accounts were deleted are rejected. Throws an OperatorError if the file is not
 * readable at all.
 */
export async function importCatalogue(database: Database, request: ImportRequest): Promise<ImportOutcome> {
  const { file, mapping, rejects, repairs, clock, events, onProgress, batchSize = defaultBatchSize } = request;
  const { onBackend = () => {}, onRejected } = request;
  const now = importTime(clock);
  const announcements = events === undefined ? null : new Announcements(events.publicUrl, now);
  const writer = await CatalogueWriter.open(database, optionalFields(mapping), now, announcements, onBackend);
  let repeated = 0;
  let batch = new Map<string, ReadBeat>();
  let targetSize = Math.min(firstBatchSize, batchSize);
  const currentCounts = () => ({ ...writer.counts, unchanged: writer.counts.unchanged + repeated });
  async function writeBatch(): Promise<void> {
    await writer.write(batch);
    batch = new Map();
    targetSize = Math.min(targetSize * 2, batchSize);
  }
  try {
    const outcome = await readBeats({ ...request, erasedProducers: writer.erasedProducers }, now, {
      beat: (beat, { line }, replaced) => {
        for (const repair of replaced) repairs.add({ line, ...repair });
        const identity = `${beat.source}\0${beat.external_id}`;
        // The first row with an id makes the beat.
        if (batch.has(identity)) repeated++;
        else batch.set(identity, beat);
        return batch.size < targetSize ? undefined : writeBatch();
      },
      rejected: (row, { problem, reason }) => {
        const reject = { line: row.line, reason, row: row.raw() };
        rejects.add(reject);
        onRejected?.({ problem, ...reject });
      },
      piece: async (counts) => {
        await rejects.flush();
        await repairs.flush();
        onProgress?.({ ...currentCounts(), ...counts, readBytes: file.readBytes() });
      },
    });
    await writer.write(batch);
    await writer.finish();
    await rejects.flush();
    await repairs.flush();
    return { ...currentCounts(), ...outcome };
  } finally {
    await writer.close();
  }
}

function optionalFields({ fields }: Mapping): OptionalField[] {
  const { title, producer, tempo, external_id, ...optional } = fields;
  return Object.keys(optional) as OptionalField[];
}
