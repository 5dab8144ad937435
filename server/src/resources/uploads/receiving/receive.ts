import type { Readable } from "node:stream";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { enqueue } from "@beatmarket/jobs/queue.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { StoredFile, StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../database/connect.ts";
import { noUpload } from "../queries.ts";
import { jobKindOf, type Upload } from "../upload.ts";
import type { Checksum } from "./checksum.ts";
import type { DiskRoom } from "./disk-room.ts";
import type { PartDraft, PartDrafts } from "./drafts.ts";
import { overtaken, type WriteLock } from "./writers.ts";

/** The number of parts of an upload: enough for 2 GB in parts of 200 kB. */
export const maxParts = 10_000;

/** Throws 409 for an upload that has the largest number of parts. */
async function requireRoomForPart(db: Queryable, id: string): Promise<void> {
  const { parts } = await db
    .selectFrom("upload_parts")
    .select((eb) => eb.fn.countAll<number>().as("parts"))
    .where("upload_id", "=", id)
    .executeTakeFirstOrThrow();
  if (Number(parts) < maxParts) return;
  throw conflict(
    `This upload came in ${maxParts} parts, the most that one may have. Delete it, and send the file again in larger ones, best all of it in one request.`,
  );
}

/**
 * Records a stored part after the bytes that had arrived. With the last part, queues the upload for analysis. Throws
 * 409 when another request moved the offset in the meantime, on any instance; 404 when the upload was deleted.
 */
async function appendPart(
  { db, clock }: { db: Queryable; clock: Clock },
  { id, kind, user_id, bytes, received }: Upload,
  part: StoredFile,
): Promise<void> {
  const now = new Date(clock.nowMs());
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
    if (numUpdatedRows === 0n) throw (await isThere(transaction, id)) ? overtaken() : noUpload(id);
    await transaction
      .insertInto("upload_parts")
      .values({ upload_id: id, first_byte: received, ...part })
      .execute();
    if (isComplete) await enqueue(transaction, { kind: jobKindOf[kind], subject: id, userId: user_id, now });
  });
}

const isThere = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.selectFrom("uploads").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;

/** A killed server loses at most this many bytes of a request, or what arrived within this time. */
const partBytes = 16_000_000;
const partMs = 60_000;

export interface Receiver {
  db: Queryable;
  drafts: PartDrafts;
  objects: Pick<StoredObjects, "store">;
  clock: Clock;
  room: Pick<DiskRoom, "require">;
  /** The number of bytes that an account of plan standard may store. */
  standardBytes: number;
}

/**
 * Appends a body to an upload, in parts that are stored one by one. The caller is the upload's writer on this instance.
 * Returns the new offset. With the last byte the upload is queued for analysis. When the body breaks off, the received
 * bytes are kept. With a checksum over the whole body, the body is one part, and nothing is kept.
 */
export async function receive(
  receiver: Receiver,
  upload: Upload,
  body: Readable,
  { checksum, lock }: { checksum: Checksum | null; lock: WriteLock },
): Promise<number> {
  const { db, drafts, objects, clock, room } = receiver;
  await requireRoomForPart(db, upload.id);
  let { received } = upload;
  let draft: PartDraft | null = null;
  let begunMs = 0;
  const storeDraft = async (part: PartDraft): Promise<StoredFile> => {
    try {
      await part.flush();
      return await lock.hold(() => objects.store(part.path));
    } finally {
      await part.remove();
    }
  };
  const keep = async () => {
    const part = draft;
    // A failed part is not retried here, since the client sends its bytes again.
    draft = null;
    if (part === null) return;
    const stored = await storeDraft(part);
    if (stored.bytes === 0) return;
    await appendPart(receiver, { ...upload, received }, stored);
    received += stored.bytes;
  };
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      lock.progress();
      checksum?.update(chunk);
      if (draft === null) {
        await room.require(0);
        draft = await drafts.begin();
        begunMs = clock.monotonicMs();
      }
      await draft.write(chunk);
      const isFull = draft.bytes >= partBytes || clock.monotonicMs() - begunMs >= partMs;
      if (checksum === null && isFull) await keep();
    }
    checksum?.verify();
    await keep();
    return received;
  } catch (error) {
    // The first error is reported.
    if (checksum === null) await keep().catch(() => {});
    throw asFullDisk(error);
  } finally {
    await draft?.remove();
  }
}

/** The errors of a full disk, an exceeded quota, or a file at its size limit. */
const fullDisk = ["ENOSPC", "EDQUOT", "EFBIG"];

/** Maps a full disk to 507. What was stored before stays. */
function asFullDisk(error: unknown): unknown {
  if (!fullDisk.includes((error as NodeJS.ErrnoException).code ?? "")) return error;
  return new ApiError(
    507,
    "server_error",
    "Insufficient storage",
    "The service has no room for more of the file at the moment. What has arrived is kept; resume the upload later.",
    { headers: { "retry-after": "60" }, refusedBy: "overload", cause: error },
  );
}
