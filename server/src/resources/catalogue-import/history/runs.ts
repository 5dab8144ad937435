import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../../database/connect.ts";

export const runStates = ["running", "finished", "failed", "interrupted"] as const;

/** An import run, with the field names of the JSON. */
export interface ImportRun {
  id: number;
  state: (typeof runStates)[number];
  file: string;
  mapping: string;
  started_at: Date;
  /** Null while it runs. */
  ended_at: Date | null;
  read_rows: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** Bytes read from the file, before decompression. */
  read_bytes: number;
  /** Null for standard input. */
  size_bytes: number | null;
  /** The reason for a failure or an interruption; null in other states. */
  error: string | null;
}

/** A reason for rejected rows, with the first lines that were rejected for it. */
export interface RejectReason {
  reason: string;
  times: number;
  first_lines: number[];
}

/** A running import that has not written for this time counts as interrupted. Imports write every two seconds. */
const interruptedAfterMs = 60_000;

/** The stored imports, newest first. */
export async function listRuns(db: Queryable, now: Date): Promise<ImportRun[]> {
  const rows = await db.selectFrom("import_runs").select(columns).orderBy("id", "desc").execute();
  return rows.map((row) => runOf(row, now));
}

/** Throws 404 for an unknown or deleted run. */
export async function findRun(
  db: Queryable,
  id: number,
  now: Date,
): Promise<ImportRun & { reasons: RejectReason[]; rejects: string }> {
  const row = await db
    .selectFrom("import_runs")
    .select([...columns, "reasons", "rejects"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) throw notFound(`There is no import ${id}, or it was deleted: only the newest 100 are kept.`);
  return { ...runOf(row, now), reasons: row.reasons as unknown as RejectReason[], rejects: row.rejects };
}

const columns = [
  ...(["id", "state", "file", "mapping", "started_at", "progressed_at", "ended_at", "error"] as const),
  ...(["read_rows", "created", "updated", "unchanged", "rejected", "read_bytes", "size_bytes"] as const),
] as const;

type Row = Omit<ImportRun, "state"> & { state: string; progressed_at: Date };

/**
 * Converts a row. A running import that has not written for a minute counts as interrupted: it was killed, or lost the
 * database, and could not record that.
 */
function runOf({ progressed_at: progressedAt, ...row }: Row, now: Date): ImportRun {
  const run = { ...row, state: row.state as ImportRun["state"] };
  if (run.state !== "running" || now.getTime() - progressedAt.getTime() < interruptedAfterMs) return run;
  return {
    ...run,
    state: "interrupted",
    ended_at: progressedAt,
    error: "It was killed, or lost the database; importing the file again continues from there.",
  };
}

/** A run as JSON. */
export const runJson = (run: ImportRun) => ({
  ...run,
  by: "command" as const,
  started_at: run.started_at.toISOString(),
  ended_at: run.ended_at?.toISOString() ?? null,
});
