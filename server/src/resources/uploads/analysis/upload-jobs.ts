import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { MediaTaskError } from "@beatmarket/audio/media-task.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { JobHandler, JobHandlers } from "@beatmarket/jobs/worker.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { ObjectNotFound, WrongContent } from "@beatmarket/storage/storage.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../database/connect.ts";
import { emitEvents } from "../../webhooks/outbox.ts";
import { uploadFields } from "../present.ts";
import { selectUploads } from "../queries.ts";
import { jobKindOf, type UploadKind } from "../upload.ts";
import { type ExaminationParts, type Examined, examine } from "./findings.ts";

/** Writes a complete upload to a new local file. Throws a final MediaTaskError if parts are lost. */
async function assemble(
  { db, objects }: { db: Queryable; objects: Pick<StoredObjects, "open"> },
  upload: { id: string; bytes: number },
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const parts = await db
    .selectFrom("upload_parts")
    .select(["sha256", "bytes"])
    .where("upload_id", "=", upload.id)
    .orderBy("first_byte")
    .execute();
  const lostError = (cause?: unknown) =>
    new MediaTaskError("Its bytes were lost on our side; upload the file again.", { isFinal: true, cause });
  if (parts.reduce((sum, { bytes }) => sum + bytes, 0) !== upload.bytes) throw lostError();
  const content = async function* () {
    for (const { sha256 } of parts) yield* await objects.open(sha256);
  };
  try {
    await pipeline(content, createWriteStream(file, { mode: 0o600 }), { signal });
  } catch (error) {
    throw error instanceof ObjectNotFound || error instanceof WrongContent ? lostError(error) : error;
  }
}

export interface UploadJobParts extends ExaminationParts {
  db: Queryable;
  clock: Clock;
  objects: Pick<StoredObjects, "open" | "store">;
  /** Called when an upload becomes ready or rejected, in the same transaction. */
  onEnd(transaction: Queryable, uploadId: string): Promise<void>;
}

/**
 * The jobs that analyse an upload and store its files. Objects are stored before the rows that name them, and the same
 * transaction that stores the rows releases the uploaded parts. So after a crash between any two steps, the job can be
 * repeated, or a sweeper deletes the objects.
 */
export const uploadJobs = (parts: UploadJobParts): JobHandlers =>
  Object.fromEntries(Object.values(jobKindOf).map((kind) => [kind, uploadJob(parts)]));

const uploadJob = (parts: UploadJobParts): JobHandler => ({
  run: ({ subject }, { signal }) => analyse(parts, subject, signal),
  // Called after the last failed attempt. A file that is unusable was rejected by `run` already.
  giveUp: ({ subject }, reason) => reject(parts, subject, { reason, isRetriable: true }),
});

async function analyse(parts: UploadJobParts, id: string, signal: AbortSignal): Promise<void> {
  const upload = await findWaitingUpload(parts.db, id);
  // The upload was deleted, or a worker finished it and crashed before it could record that.
  if (upload === null) return;
  try {
    await parts.scratch.use(async (folder) => {
      const path = join(folder, "original");
      await assemble(parts, upload, path, signal);
      await markReady(parts, id, await examine(parts, { kind: upload.kind, path }, signal));
    });
  } catch (error) {
    if (!(error instanceof MediaTaskError) || !error.isFinal) throw error;
    await reject(parts, id, { reason: error.reason, isRetriable: false });
  }
}

/** Emits the result of an upload to its account, in the transaction that records the result. */
async function emitUploadEvent(
  transaction: Queryable,
  id: string,
  type: "upload.ready" | "upload.rejected",
  at: Date,
): Promise<void> {
  const upload = await selectUploads(transaction).where("uploads.id", "=", id).executeTakeFirstOrThrow();
  await emitEvents(transaction, [{ type, data: uploadFields(upload), at, audience: [upload.user_id] }]);
}

/** The dependencies of the functions that record a result. */
interface ResultParts {
  db: Queryable;
  clock: Pick<Clock, "nowMs">;
  /** Called in the transaction that records the result. */
  onEnd(transaction: Queryable, uploadId: string): Promise<void>;
}

interface WaitingUpload {
  id: string;
  kind: UploadKind;
  bytes: number;
}

/** Returns an upload that waits for its analysis, and null for a deleted or finished upload. */
async function findWaitingUpload(db: Queryable, id: string): Promise<WaitingUpload | null> {
  const upload = await db
    .selectFrom("uploads")
    .select(["id", "kind", "bytes"])
    .where("id", "=", id)
    .where("status", "=", "analysing")
    .$narrowType<{ kind: UploadKind }>()
    .executeTakeFirst();
  return upload ?? null;
}

/** Records the findings and the stored files. Does nothing for an upload that no longer waits. */
export const markReady = (
  { db, clock, onEnd }: ResultParts,
  id: string,
  { analysis, files }: Examined,
): Promise<void> =>
  transact(db, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("uploads")
      .set({ status: "ready", analysis: analysis === null ? null : JSON.stringify(analysis) })
      .where("id", "=", id)
      .where("status", "=", "analysing")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await transaction
      .insertInto("upload_files")
      .values(files.map((file) => ({ ...file, upload_id: id })))
      .execute();
    await onEnd(transaction, id);
    await emitUploadEvent(transaction, id, "upload.ready", new Date(clock.nowMs()));
    await releaseParts(transaction, id);
  });

/** Records the reason why an upload is unusable. Does nothing for an upload that no longer waits. */
const reject = (
  { db, clock, onEnd }: ResultParts,
  id: string,
  { reason, isRetriable }: { reason: string; isRetriable: boolean },
): Promise<void> =>
  transact(db, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("uploads")
      .set({ status: "rejected", rejection: reason, is_retriable: isRetriable })
      .where("id", "=", id)
      .where("status", "=", "analysing")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    if (!isRetriable) await releaseParts(transaction, id);
    await onEnd(transaction, id);
    await emitUploadEvent(transaction, id, "upload.rejected", new Date(clock.nowMs()));
  });

/** Deletes the rows of the parts, so that the storage's sweeper deletes the parts. */
async function releaseParts(transaction: Queryable, id: string): Promise<void> {
  await transaction.deleteFrom("upload_parts").where("upload_id", "=", id).execute();
}
