import type { Clock } from "@beatmarket/foundation/clock.ts";
import { nearestName } from "@beatmarket/http/input/names.ts";
import { DamagedFile } from "@beatmarket/tabular-files/damaged-file.ts";
import type { FileBytes } from "@beatmarket/tabular-files/file-bytes.ts";
import { type Finding, Findings } from "@beatmarket/tabular-files/findings.ts";
import type { Row } from "@beatmarket/tabular-files/row.ts";
import { openRows } from "@beatmarket/tabular-files/rows.ts";
import type { Repair } from "./fields/mapped-field.ts";
import { beatRowParser, isRejection, type ReadBeat, type Rejection } from "./fields/read-beat.ts";
import { Joins } from "./joins/joins.ts";
import { columnsOfFile, type Mapping } from "./mapping.ts";

export interface BeatFile {
  file: FileBytes;
  mapping: Mapping;
  /** Opens a joined file by its name in the mapping. */
  openJoined: (file: string) => Promise<FileBytes>;
  clock: Clock;
  /** The import names of producers whose accounts were deleted: their rows are rejected. */
  erasedProducers?: ReadonlySet<string>;
  /** Stops after the rows read so far. */
  signal?: AbortSignal | undefined;
}

/** Receives the content of a file, row by row. */
export interface BeatSink {
  /** `repairs` are the replaced values of the row. */
  beat(beat: ReadBeat, row: Row, repairs: readonly Repair[]): Promise<void> | void;
  rejected(row: Row, rejection: Rejection): void;
  /** Called after each chunk of the file, with the numbers of rows read and rejected so far. */
  piece(counts: { rows: number; rejected: number }): Promise<void> | void;
}

export interface ReadOutcome {
  rows: number;
  rejected: number;
  rejections: Finding[];
  /** The replaced values of accepted rows. */
  repairs: Finding[];
  /** Other findings about the files, as sentences. */
  remarks: string[];
  /** The reason why the file was not read to its end; null if all of it was read. */
  stoppedBecause: string | null;
}

/** The present time in whole seconds, as the API shows times. */
export const importTime = (clock: Clock): Date => new Date(Math.floor(clock.nowMs() / 1000) * 1000);

/**
 * Reads the rows of a file as beats (docs/import.md). Memory does not grow with the file or with joined files. Throws
 * an OperatorError if one of the files is not readable at all.
 */
export async function readBeats(source: BeatFile, now: Date, sink: BeatSink): Promise<ReadOutcome> {
  const { file, mapping, signal } = source;
  const table = await openRows(file, mapping, columnsOfFile(mapping), nearestName);
  const joins = await Joins.open(mapping, source.openJoined, table, signal);
  const rejections = new Findings();
  const repairs = new Findings();
  let rows = 0;
  let rejected = 0;
  let lastLine = 1;
  let stoppedBecause: string | null = null;
  try {
    const parser = beatRowParser(mapping, (column) => joins.indexOf(column) ?? table.indexOf(column), now.getTime());
    const parseRow = (row: Row): ReadBeat | Rejection => {
      if (row.problem !== null) return { problem: "row: malformed", reason: row.problem };
      const beat = joins.extend(row) ?? parser.parse(row, rows);
      return !isRejection(beat) && source.erasedProducers?.has(beat.import_name) ? ofErasedProducer : beat;
    };
    for await (const piece of untilAborted(table.pieces, signal)) {
      for (const row of piece) {
        rows++;
        lastLine = row.line;
        const beat = parseRow(row);
        if (isRejection(beat)) {
          rejected++;
          rejections.add(beat.problem, row.line);
          sink.rejected(row, beat);
          continue;
        }
        const repaired = parser.repairs();
        for (const { field, problem } of repaired) repairs.add(`${field}: ${problem}`, row.line);
        const writing = sink.beat(beat, row, repaired);
        if (writing !== undefined) await writing;
      }
      await sink.piece({ rows, rejected });
    }
    if (signal?.aborted === true) stoppedBecause = `stopped after line ${lastLine}`;
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    stoppedBecause = `after line ${lastLine}, ${error.message}`;
  } finally {
    joins.close();
  }
  const remarks = [...joins.remarks(), ...table.missingColumns().map((column) => `No row has a column ${column}.`)];
  if (stoppedBecause === null && table.endsWithinLine())
    remarks.push(
      `Line ${lastLine}, the last, has no line break: if the file was cut off, its last value is incomplete.`,
    );
  return { rows, rejected, rejections: rejections.list(), repairs: repairs.list(), remarks, stoppedBecause };
}

const ofErasedProducer: Rejection = {
  problem: "producer: account deleted",
  reason:
    "the producer has deleted the account that claimed this name, so beats under this name are not imported; remove the row from the file",
};

/** Ends when the signal aborts, even while it waits for a chunk, such as from an idle pipe. */
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
