import type { Readable } from "node:stream";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { StoredFile, StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Checksum } from "./checksum.ts";
import type { DiskRoom } from "./disk-room.ts";
import type { PartDraft, PartDrafts } from "./drafts.ts";
import type { ResumableUpload, UploadStore } from "./upload-store.ts";
import type { WriteLock } from "./writers.ts";

/** The maximum size and duration of a part without a checksum. A killed server loses at most one part of a request. */
const partBytes = 16_000_000;
const partMs = 60_000;

export interface Receiver<Upload extends ResumableUpload, New> {
  store: UploadStore<Upload, New>;
  drafts: PartDrafts;
  objects: Pick<StoredObjects, "store">;
  clock: Clock;
  room: Pick<DiskRoom, "require">;
}

/**
 * Appends a body to an upload, in parts that are stored one by one. The caller is the upload's writer on this instance.
 * Returns the new offset. If the body breaks off, the received bytes are stored. With a checksum, the body is one part,
 * so that no bytes are stored if the body breaks off or has another checksum.
 */
export async function receive<Upload extends ResumableUpload>(
  receiver: Omit<Receiver<Upload, never>, "store"> & {
    store: Pick<UploadStore<Upload, never>, "requireRoomForPart" | "appendPart">;
  },
  upload: Upload,
  body: Readable,
  { checksum, lock }: { checksum: Checksum | null; lock: WriteLock },
): Promise<number> {
  const { store, drafts, objects, clock, room } = receiver;
  await store.requireRoomForPart(upload);
  let { received } = upload;
  let draft: PartDraft | null = null;
  let draftStartMs = 0;
  const storeDraft = async (part: PartDraft): Promise<StoredFile> => {
    try {
      await part.flush();
      return await lock.hold(() => objects.store(part.path));
    } finally {
      await part.remove();
    }
  };
  const storePart = async () => {
    const part = draft;
    // A failed part is not retried here, since the client sends its bytes again.
    draft = null;
    if (part === null) return;
    const stored = await storeDraft(part);
    if (stored.bytes === 0) return;
    await store.appendPart({ ...upload, received }, stored);
    received += stored.bytes;
  };
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      lock.progress();
      checksum?.update(chunk);
      if (draft === null) {
        await room.require(0);
        draft = await drafts.begin();
        draftStartMs = clock.monotonicMs();
      }
      await draft.write(chunk);
      const isFull = draft.bytes >= partBytes || clock.monotonicMs() - draftStartMs >= partMs;
      if (checksum === null && isFull) await storePart();
    }
    checksum?.verify();
    await storePart();
    return received;
  } catch (error) {
    // Ignores a second error, since the first is reported.
    if (checksum === null) await storePart().catch(() => {});
    throw asFullDisk(error);
  } finally {
    await draft?.remove();
  }
}

/** The errors of a full disk, an exceeded quota, or a file at its size limit. */
const fullDisk = ["ENOSPC", "EDQUOT", "EFBIG"];

/** Maps the error of a full disk to 507. Returns any other error unchanged. */
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
