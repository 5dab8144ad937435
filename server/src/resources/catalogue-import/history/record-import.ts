import { basename } from "node:path";
import type { Database } from "../../../database/connect.ts";
import { type ImportOutcome, type ImportRequest, importCatalogue } from "../import-catalogue.ts";
import { RunRecord } from "./run-record.ts";

/** Imports a file as `importCatalogue` does, and keeps what became of it (`import_runs`). `mapping` is the mapping's name. */
export async function recordImport(
  database: Database,
  request: ImportRequest,
  mapping: string,
): Promise<ImportOutcome> {
  const { file, signal, clock, onProgress } = request;
  const start = { file: basename(file.name), mapping: basename(mapping), sizeBytes: file.sizeBytes };
  const record = await RunRecord.open(database.query, start, clock);
  try {
    const outcome = await importCatalogue(database, {
      ...request,
      onRejected: (row) => record.rejected(row),
      onProgress: (progress) => {
        record.progress(progress);
        onProgress?.(progress);
      },
    });
    const { unread } = outcome;
    record.progress({ ...outcome, readBytes: file.readBytes() });
    if (unread === null) await record.end("finished", null);
    else
      await record.end(signal?.aborted === true ? "interrupted" : "failed", `It was not read to its end: ${unread}.`);
    if (record.problem === null) return outcome;
    return { ...outcome, remarks: [...outcome.remarks, `The list of imports lacks some of this: ${record.problem}.`] };
  } catch (error) {
    await record.end("failed", error instanceof Error ? error.message : String(error));
    throw error;
  }
}
