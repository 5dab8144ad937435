import type { Clock } from "@beatmarket/foundation/clock.ts";
import { conflict } from "@beatmarket/foundation/errors.ts";
import { enqueue } from "@beatmarket/jobs/queue.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { TusCall } from "@beatmarket/resumable-uploads/tus-uploads.ts";
import type { UploadStore } from "@beatmarket/resumable-uploads/upload-store.ts";
import { overtaken } from "@beatmarket/resumable-uploads/writers.ts";
import type { StoredFile } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../database/connect.ts";
import { createUpload, type NewUpload, readMetadata, requireSize, requireUtf8 } from "./create-upload.ts";
import { deleteUpload, findUpload, unknownUpload } from "./queries.ts";
import { jobKindOf, newUploadId, type Upload } from "./upload.ts";

/** Returns the account of a call's key, or of the portal's session. */
export function uploadOwner({ caller, account }: Pick<TusCall, "caller" | "account">): number {
  const userId = caller?.userId ?? account?.userId;
  if (userId === undefined) throw new Error("A route of uploads needs a key or a session.");
  return userId;
}

/** Stores uploads as rows, and their parts as objects. `standardBytes` is the storage limit of plan standard. */
export function uploadStore(parts: {
  db: Queryable;
  clock: Clock;
  standardBytes: number;
}): UploadStore<Upload, NewUpload> {
  const { db, clock, standardBytes } = parts;
  const now = () => new Date(clock.nowMs());
  return {
    newId: newUploadId,
    readNew(userId, { id, bytes, metadata, encodedMetadata }) {
      requireUtf8(encodedMetadata, "filename");
      const upload = { id, ...readMetadata(metadata), userId, bytes };
      requireSize(upload);
      return upload;
    },
    create: (upload) => createUpload(db, upload, now(), standardBytes),
    find: (userId, id) => findUpload(db, userId, id, now()),
    remove: (userId, id) => deleteUpload(db, userId, id),
    metadataOf: ({ kind, filename }) => ({ kind, filename }),
    requireRoomForPart: ({ id }) => requireRoomForPart(db, id),
    appendPart: (upload, part) => appendPart(db, upload, part, now()),
  };
}

/** The maximum number of parts of an upload. It is enough for 2 GB in parts of 200 kB. */
export const maxParts = 10_000;

/** Throws 409 for an upload with the maximum number of parts. */
async function requireRoomForPart(db: Queryable, id: string): Promise<void> {
  const { parts } = await db
    .selectFrom("upload_parts")
    .select((eb) => eb.fn.countAll<number>().as("parts"))
    .where("upload_id", "=", id)
    .executeTakeFirstOrThrow();
  if (Number(parts) < maxParts) return;
  throw conflict(
    `This upload has ${maxParts} parts, the maximum. Delete it, and send the file again in larger parts, best in one request.`,
  );
}

/**
 * Appends a part. After the last part, queues the upload for analysis. Throws 404 if the upload was deleted, and 409 if
 * another request appended a part in the meantime.
 */
async function appendPart(
  db: Queryable,
  { id, kind, user_id, bytes, received }: Upload,
  part: StoredFile,
  now: Date,
): Promise<void> {
  const next = received + part.bytes;
  const isComplete = next === bytes;
  await transact(db, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("uploads")
      .set({ received: next, ...(isComplete && { status: "analysing" }) })
      .where("id", "=", id)
      .where("status", "=", "receiving")
      .where("received", "=", received)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw (await exists(transaction, id)) ? overtaken() : unknownUpload(id);
    await transaction
      .insertInto("upload_parts")
      .values({ upload_id: id, first_byte: received, ...part })
      .execute();
    if (isComplete) await enqueue(transaction, { kind: jobKindOf[kind], subject: id, userId: user_id, now });
  });
}

const exists = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.selectFrom("uploads").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
