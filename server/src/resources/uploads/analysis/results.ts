import type { Clock } from "@beatmarket/foundation/clock.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../../database/connect.ts";
import { emitEvents } from "../../webhooks/outbox.ts";
import { uploadFields } from "../present.ts";
import { selectUploads } from "../queries.ts";
import type { UploadKind } from "../upload.ts";
import type { Examined } from "./findings.ts";

/** Emits the result of an upload to its account, in the transaction that records the result. */
async function emitUploadEvent(
  transaction: Queryable,
  id: string,
  type: "upload.ready" | "upload.rejected",
  time: Date,
): Promise<void> {
  const upload = await selectUploads(transaction).where("uploads.id", "=", id).executeTakeFirstOrThrow();
  await emitEvents(transaction, [{ type, data: uploadFields(upload), at: time, audience: [upload.user_id] }]);
}

/** The dependencies of the functions that record a result. */
interface ResultParts {
  db: Queryable;
  clock: Pick<Clock, "nowMs">;
  /** Called in the transaction that records the result. */
  onEnd(transaction: Queryable, uploadId: string): Promise<void>;
}

interface Analysing {
  id: string;
  kind: UploadKind;
  bytes: number;
}

/** Returns an upload that waits for its analysis, and null for a deleted or finished upload. */
export async function findAnalysing(db: Queryable, id: string): Promise<Analysing | null> {
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
export const reject = (
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
