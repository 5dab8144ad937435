import type { Readable } from "node:stream";
import type { Clock } from "../../../clock.ts";
import type { Queryable } from "../../../database/connection/connect.ts";
import { transact } from "../../../database/connection/transaction.ts";
import { enqueue } from "../../jobs/queries.ts";
import { noUpload } from "../queries.ts";
import { jobKindOf, type Upload } from "../upload.ts";
import type { Checksum } from "./checksum.ts";
import type { IncomingFiles } from "./incoming-files.ts";

/** A server that is killed loses at most so many bytes of a request. */
const syncBytes = 16_000_000;

export interface Receiver {
  db: Queryable;
  files: IncomingFiles;
  clock: Clock;
}

/**
 * Writes what arrives to the end of an upload, whose writer the caller is. Returns the new offset. With the last byte the
 * upload is queued for analysis. When the body breaks off, what has come stays, unless a checksum was to be verified over all of it.
 */
export async function receive(
  receiver: Receiver,
  upload: Upload,
  body: Readable,
  checksum: Checksum | null,
  onBytes: () => void,
): Promise<number> {
  const file = await receiver.files.append(upload.id, upload.received);
  let unsynced = 0;
  const sync = async () => {
    const offset = await file.sync();
    await advance(receiver, upload, offset);
    return offset;
  };
  const keep = () => (checksum === null ? sync() : file.discard());
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      onBytes();
      checksum?.update(chunk);
      await file.write(chunk);
      unsynced += chunk.length;
      if (checksum !== null || unsynced < syncBytes) continue;
      await sync();
      unsynced = 0;
    }
    checksum?.verify();
    return await sync();
  } catch (error) {
    // The first error is the one to be told.
    await keep().catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

/** Records the bytes that are durable, and with the last one that the upload is to be analysed. 404 when it was deleted meanwhile. */
async function advance({ db, clock }: Receiver, { id, kind, user_id, bytes }: Upload, received: number): Promise<void> {
  const isComplete = received === bytes;
  const now = new Date(clock.nowMs());
  await transact(db, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("uploads")
      .set({ received, ...(isComplete && { status: "analysing" }) })
      .where("id", "=", id)
      .where("status", "=", "receiving")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw noUpload(id);
    if (isComplete) await enqueue(transaction, { kind: jobKindOf[kind], subject: id, userId: user_id, now });
  });
}
