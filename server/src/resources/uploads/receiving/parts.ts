import type { Clock } from "@beatmarket/foundation/clock.ts";
import { conflict } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { StoredFile } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../database/connect.ts";
import { enqueue } from "../../jobs/queries.ts";
import { noUpload } from "../queries.ts";
import { jobKindOf, type Upload } from "../upload.ts";
import { overtaken } from "./writers.ts";

/** Of an upload. 2 GB in parts of 200 kB. */
export const maxParts = 10_000;

/** 409 for an upload that came in so many parts that it can have no more. */
export async function requireRoomForPart(db: Queryable, id: string): Promise<void> {
  const { parts } = await db
    .selectFrom("upload_parts")
    .select((its) => its.fn.countAll<number>().as("parts"))
    .where("upload_id", "=", id)
    .executeTakeFirstOrThrow();
  if (Number(parts) < maxParts) return;
  throw conflict(
    `This upload came in ${maxParts} parts, the most that one may have. Delete it, and send the file again in larger ones, best all of it in one request.`,
  );
}

/**
 * Records a stored part behind the bytes that had arrived, and with the last one that the upload is to be analysed. 409 when
 * another request moved the offset meanwhile, on whichever instance; 404 when the upload was deleted.
 */
export async function appendPart(
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
