import { join } from "node:path";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../src/database/connect.ts";
import { storeBytes } from "./order-files.ts";

/** Adds a preview to a beat, stored in a server's DATA_DIR. Its bytes are not audio. */
export async function attachPreview(db: Queryable, dataDir: string, beatId: number): Promise<void> {
  const objects = new StoredObjects(db, new FolderStorage(join(dataDir, "objects")));
  const stored = await storeBytes(objects, `the preview of beat ${beatId}`);
  await db
    .insertInto("beat_files")
    .values({ beat_id: beatId, name: "preview", ...stored, content_type: "audio/mpeg" })
    .execute();
}
