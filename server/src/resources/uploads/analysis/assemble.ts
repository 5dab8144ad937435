import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { MediaTaskError } from "@beatmarket/audio/media-task.ts";
import { ObjectNotFound, WrongContent } from "@beatmarket/storage/storage.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../database/connect.ts";

/** Writes an upload that has arrived to a new local file. Throws a final MediaTaskError when parts of it are lost. */
export async function assemble(
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
  const lost = (cause?: unknown) =>
    new MediaTaskError("Its bytes were lost on our side; upload the file again.", { isFinal: true, cause });
  if (parts.reduce((sum, { bytes }) => sum + bytes, 0) !== upload.bytes) throw lost();
  const content = async function* () {
    for (const { sha256 } of parts) yield* await objects.open(sha256);
  };
  try {
    await pipeline(content, createWriteStream(file, { mode: 0o600 }), { signal });
  } catch (error) {
    throw error instanceof ObjectNotFound || error instanceof WrongContent ? lost(error) : error;
  }
}
