import type { Queryable } from "../../../database/connect.ts";
import { emitEvents } from "../../webhooks/events/outbox.ts";
import { uploadFields } from "../present.ts";
import { selectUploads } from "../queries.ts";

/** Emits what became of an upload to its account, in the transaction that says so. */
export async function emitUploadEvent(
  transaction: Queryable,
  id: string,
  type: "upload.ready" | "upload.rejected",
  at: Date,
): Promise<void> {
  const upload = await selectUploads(transaction).where("uploads.id", "=", id).executeTakeFirstOrThrow();
  await emitEvents(transaction, [{ type, data: uploadFields(upload), at, audience: [upload.user_id] }]);
}
