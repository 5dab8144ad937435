import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import type { Form } from "@beatmarket/http/negotiation/forms.ts";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { CompiledQuery, sql } from "kysely";
import { connect, type Queryable } from "../../database/connect.ts";
import { readSingleBeats, type SingleBeatRow, selectSingleBeats } from "../beats/catalogue/beat-catalogue.ts";
import { beatDetailConsole, beatDetailReference } from "../beats/present.ts";
import type { SingleBeat } from "../beats/production.ts";
import { newestPosition } from "../changes/queries.ts";
import { draftSuffix, fileNameOf, fingerprintOf, tagOf } from "./export.ts";

/** Below this share the server counts as idle. */
const idleBusyShare = 0.25;
/** A pause is at most seven times as long as the work, so an export runs at least at an eighth of its speed. */
const maxPauses = 7;
const maxPauseMs = 2_000;

/**
 * The pause after work of `workMs` while the server's event loop is busy for a share of the time. Process priorities do
 * not suffice: schedulers that group processes by session or container ignore priorities between groups.
 */
export const pauseMs = (workMs: number, busyShare: number): number =>
  busyShare < idleBusyShare ? 0 : Math.min(maxPauseMs, workMs * Math.min(maxPauses, busyShare / (1 - busyShare)));

/** An export to write. */
export interface MakeJob {
  address: DatabaseAddress;
  folder: string;
  form: Form;
  publicUrl: string;
  /** A time not after the snapshot, in Unix milliseconds. Becomes the time of the file. */
  takenAtMs: number;
}

/** The progress after each write. */
export interface Progress {
  position: number;
  bytes: number;
  isComplete: boolean;
}

/** The rows of one statement: about 700 kB of lines. */
const rowsPerPage = 1_000;
/** Level 3 needs as much CPU time as level 1, for 95 % of the size (docs/decisions/change-stream.md). */
const gzipLevel = 3;
const gzipChunkBytes = 65_536;
/** The time limit of the statement that reads one page. */
const statementTimeoutMs = 60_000;

const page = selectSingleBeats(
  `(select * from beats where is_listed and id > $1 order by id limit ${rowsPerPage}) as beats`,
);

/**
 * Writes all listed beats, by id, into a file in the folder: gzip of NDJSON. Rows and position come from one
 * snapshot. The file gets its final name when it is complete. `busyShare` returns the server's load; the work pauses
 * accordingly.
 */
export async function makeExport(
  job: MakeJob,
  report: (progress: Progress) => void,
  busyShare: () => number,
): Promise<void> {
  await mkdir(job.folder, { recursive: true, mode: 0o700 });
  const database = connect(job.address, { max: 1, applicationName: "beatmarket export", statementTimeoutMs });
  try {
    await transact(database.query, (db) => write(db, job, report, busyShare), {
      isolation: "repeatable read",
      readOnly: true,
      attempts: 1,
    });
  } finally {
    await database.close();
  }
}

async function write(
  db: Queryable,
  job: MakeJob,
  report: (progress: Progress) => void,
  busyShare: () => number,
): Promise<void> {
  const { folder, form, publicUrl, takenAtMs } = job;
  if ("socketDir" in job.address) await lowerPriority(db);
  const position = await newestPosition(db);
  const path = join(folder, fileNameOf(tagOf({ position, form, fingerprint: fingerprintOf(form, publicUrl) })));
  const draft = path + draftSuffix;
  const file = await open(draft, "w", 0o600);
  try {
    let bytes = 0;
    await pipeline(
      paced(pages(db, form, publicUrl), busyShare),
      createGzip({ level: gzipLevel, chunkSize: gzipChunkBytes }),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          await file.writeFile(chunk);
          bytes += chunk.length;
          report({ position, bytes, isComplete: false });
        }
      },
    );
    await syncAndClose(file, takenAtMs);
    await rename(draft, path);
    report({ position, bytes, isComplete: true });
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

/** Syncs the file before its renaming, so that after a power failure no file with a final name is incomplete. */
async function syncAndClose(file: FileHandle, takenAtMs: number): Promise<void> {
  await file.utimes(takenAtMs / 1_000, takenAtMs / 1_000);
  await file.sync();
  await file.close();
}

async function* paced<Item>(items: AsyncIterable<Item>, busyShare: () => number): AsyncGenerator<Item> {
  let startedMs = performance.now();
  for await (const item of items) {
    yield item;
    const ms = pauseMs(performance.now() - startedMs, busyShare());
    if (ms > 0) await sleep(ms);
    startedMs = performance.now();
  }
}

/** The lines of the beats, page by page. PostgreSQL reads one page ahead. */
async function* pages(db: Queryable, form: Form, publicUrl: string): AsyncGenerator<string> {
  const genres = new Map(
    (await db.selectFrom("genres").select(["id", "name", "slug"]).execute()).map((genre) => [genre.id, genre]),
  );
  const lineOf = (row: SingleBeatRow): string => {
    const genre = genres.get(row.genre_id);
    if (genre === undefined) throw new Error(`Beat ${row.id} has no genre ${row.genre_id}.`);
    const beat = Object.assign(row, { genre_name: genre.name, genre_slug: genre.slug });
    return `${JSON.stringify(present(form, beat, publicUrl))}\n`;
  };
  for (let next = readPage(db, 0); ; ) {
    const rows = await next;
    const last = rows.at(-1);
    if (last === undefined) return;
    next = readPage(db, last.id);
    // The next iteration awaits the promise, unless this one fails.
    next.catch(() => {});
    // Sends the statement before this thread is busy with the page.
    await setImmediate();
    yield rows.map(lineOf).join("");
  }
}

const readPage = (db: Queryable, after: number): Promise<SingleBeatRow[]> =>
  readSingleBeats(readerOf(db), page, [after]);

const readerOf = (db: Queryable) => ({
  query: async <Row>(text: string, values: unknown[]): Promise<Row[]> =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows,
});

function present(form: Form, beat: SingleBeat, publicUrl: string): unknown {
  const context = { publicUrl, path: "", query: "" };
  return form === "reference" ? beatDetailReference(beat, context).beat : beatDetailConsole(beat, context).data;
}

/** Lowers the priority of the embedded PostgreSQL's process for this connection, until the connection ends. */
async function lowerPriority(db: Queryable): Promise<void> {
  const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(db);
  try {
    setPriority(rows[0]?.id as number, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not permitted: PostgreSQL runs under another account.
  }
}
