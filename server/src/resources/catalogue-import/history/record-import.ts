import { basename } from "node:path";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { Findings } from "@beatmarket/tabular-files/findings.ts";
import { sql } from "kysely";
import type { Database, Queryable } from "../../../database/connect.ts";
import {
  type ImportOutcome,
  type ImportProgress,
  type ImportRequest,
  importCatalogue,
  type RejectedRow,
} from "../import-catalogue.ts";

/** The number of newest runs that are kept. */
export const maxRuns = 100;
/** The maximum number of rejected rows that are stored for a run: the first ones. */
export const maxStoredRejects = 1000;
/** The maximum length of a stored row, reason or error. */
const maxTextLength = 500;
const maxReasons = 100;
const writeIntervalMs = 2_000;

interface RunStart {
  file: string;
  mapping: string;
  /** Null for standard input. */
  sizeBytes: number | null;
}

type EndState = "finished" | "failed" | "interrupted";

/**
 * The row of an import in `import_runs`, written every two seconds in its own transaction. If the row cannot be
 * written, the import continues, and `problem` has the reason.
 */
export class RunRecord {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #reasons = new Findings();
  #id: number | null = null;
  #problem: string | null = null;
  #progress: ImportProgress | null = null;
  #storedRejects = 0;
  /** Rejected rows as lines of JSON. */
  #unwrittenLines = "";
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  private constructor(db: Queryable, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Begins a run, and deletes those older than the newest `maxRuns`. */
  static async open(db: Queryable, start: RunStart, clock: Clock): Promise<RunRecord> {
    const record = new RunRecord(db, clock);
    await record.#attempt((transaction) => record.#begin(transaction, start));
    // One write at a time, so that a slow database gets fewer writes instead of a queue.
    let isWriting = false;
    record.#timer = setInterval(async () => {
      if (isWriting) return;
      isWriting = true;
      await record.write();
      isWriting = false;
    }, writeIntervalMs).unref();
    return record;
  }

  /** The reason why the run could not be written; null if every write succeeded. */
  get problem(): string | null {
    return this.#problem;
  }

  rejected({ problem, line, reason, row }: RejectedRow): void {
    this.#reasons.add(problem, line);
    if (this.#storedRejects === maxStoredRejects) return;
    this.#storedRejects++;
    this.#unwrittenLines += `${JSON.stringify({ line, reason: truncate(reason), row: truncate(row) })}\n`;
  }

  progress(progress: ImportProgress): void {
    this.#progress = progress;
  }

  /** Writes the present state. */
  write(): Promise<void> {
    return this.#enqueue({});
  }

  /** Writes the end of the run. `error`: the reason for a failure or an interruption. */
  async end(state: EndState, error: string | null): Promise<void> {
    clearInterval(this.#timer);
    await this.#enqueue({ state, error: error === null ? null : truncate(error), ended_at: this.#now() });
  }

  #now(): Date {
    return new Date(this.#clock.nowMs());
  }

  async #begin(db: Queryable, { file, mapping, sizeBytes }: RunStart): Promise<void> {
    const now = this.#now();
    const { id } = await db
      .insertInto("import_runs")
      .values({ state: "running", file, mapping, size_bytes: sizeBytes, started_at: now, progressed_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    this.#id = id;
    const newest = db.selectFrom("import_runs").select("id").orderBy("id", "desc").limit(maxRuns);
    await db.deleteFrom("import_runs").where("id", "not in", newest).execute();
  }

  #enqueue(end: { state?: EndState; error?: string | null; ended_at?: Date }): Promise<void> {
    this.#writing = this.#writing.then(() => this.#attempt((transaction) => this.#update(transaction, end)));
    return this.#writing;
  }

  async #update(db: Queryable, end: object): Promise<void> {
    if (this.#id === null) return;
    const lines = this.#unwrittenLines;
    const reasons = this.#reasons
      .list()
      .slice(0, maxReasons)
      .map(({ kind, times, firstLines }) => ({ reason: kind, times, first_lines: firstLines }));
    await db
      .updateTable("import_runs")
      .set({
        progressed_at: this.#now(),
        reasons: sql`${JSON.stringify(reasons)}::jsonb`,
        ...(lines !== "" && { rejects: sql<string>`rejects || ${lines}` }),
        ...countsOf(this.#progress),
        ...end,
      })
      .where("id", "=", this.#id)
      .execute();
    this.#unwrittenLines = this.#unwrittenLines.slice(lines.length);
  }

  /** Runs a write with short time-outs, so that a lock of another session on the table does not block the import. */
  async #attempt(work: (transaction: Queryable) => Promise<void>): Promise<void> {
    try {
      await transact(
        this.#db,
        async (transaction) => {
          await sql`set local lock_timeout = '2s'`.execute(transaction);
          await sql`set local statement_timeout = '5s'`.execute(transaction);
          await work(transaction);
        },
        { attempts: 1 },
      );
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }
}

const countsOf = (progress: ImportProgress | null) =>
  progress && {
    read_rows: progress.rows,
    created: progress.created,
    updated: progress.updated,
    unchanged: progress.unchanged,
    rejected: progress.rejected,
    read_bytes: progress.readBytes,
  };

/** Shortens a text to `maxTextLength`. Never cuts a surrogate pair. */
function truncate(text: string): string {
  if (text.length <= maxTextLength) return text;
  const end = maxTextLength - 1;
  return `${text.slice(0, /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end)}…`;
}

/** Imports a file like `importCatalogue`, and stores the result (`import_runs`). `mapping` is the mapping's path. */
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
    const { stoppedBecause } = outcome;
    record.progress({ ...outcome, readBytes: file.readBytes() });
    if (stoppedBecause === null) await record.end("finished", null);
    else
      await record.end(
        signal?.aborted === true ? "interrupted" : "failed",
        `It was not read to its end: ${stoppedBecause}.`,
      );
    if (record.problem === null) return outcome;
    return {
      ...outcome,
      remarks: [...outcome.remarks, `The list of imports may lack parts of this import: ${record.problem}.`],
    };
  } catch (error) {
    await record.end("failed", error instanceof Error ? error.message : String(error));
    throw error;
  }
}
