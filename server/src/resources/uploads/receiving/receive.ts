import type { Readable } from "node:stream";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { StoredFile, StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../database/connect.ts";
import { enqueue } from "../../jobs/queries.ts";
import { noUpload } from "../queries.ts";
import { jobKindOf, type Upload } from "../upload.ts";
import type { Checksum } from "./checksum.ts";
import type { DiskRoom } from "./disk-room.ts";
import type { PartDraft, PartDrafts } from "./drafts.ts";
import { overtaken, type WriteLock } from "./writers.ts";

/** Of an upload. 2 GB in parts of 200 kB. */
export const maxParts = 10_000;

/** 409 for an upload that came in so many parts that it can have no more. */
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
 * Records a stored part behind the bytes that had arrived, and with the last one that the upload is to be analysed. 409 when
 * another request moved the offset in the meantime, on whichever instance; 404 when the upload was deleted.
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

/** A server that is killed loses at most so many bytes of a request, and what came within so long. */
const partBytes = 16_000_000;
const partMs = 60_000;

export interface Receiver {
  db: Queryable;
  drafts: PartDrafts;
  objects: Pick<StoredObjects, "store">;
  clock: Clock;
  room: Pick<DiskRoom, "require">;
  /** What an account of plan standard may store. */
  standardBytes: number;
}

/**
 * Appends what arrives to an upload, whose writer on this instance the caller is, in parts that are stored one by one.
 * Returns the new offset. With the last byte the upload is queued for analysis. When the body breaks off, what has come
 * stays, unless a checksum was to be verified over all of it: such a body is one part.
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
    // One that fails is not tried again: the client sends its bytes again.
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
    // The first error is the one to be reported.
    if (checksum === null) await keep().catch(() => {});
    throw asFullDisk(error);
  } finally {
    await draft?.remove();
  }
}

/** The errors of a disk, quota or file that takes no more. */
const fullDisk = ["ENOSPC", "EDQUOT", "EFBIG"];

/** 507 where the disk is full. What was stored before stays. */
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
