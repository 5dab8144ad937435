import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { hashFile } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../database/connect.ts";
import { type ExaminationParts, type Examined, examine } from "./analysis/findings.ts";
import { markReady } from "./analysis/results.ts";
import { createUpload, readMetadata, requireSize } from "./create-upload.ts";
import { newUploadId, type UploadKind } from "./upload.ts";

// Makes uploads from files of this machine, for the operator's command.

/** A file in the state in which it was measured. */
export interface LocalFile {
  kind: UploadKind;
  path: string;
  /** Lower-case hex. */
  sha256: string;
  bytes: number;
}

/** Reads a local file to its end. Throws 400 for an empty one, 413 for one that is too large for its kind. */
export async function measureFile(
  { kind, path, bytes }: { kind: UploadKind; path: string; bytes: number },
  onBytes: (bytes: number) => void,
): Promise<LocalFile> {
  if (bytes === 0) throw invalidRequest("The file is empty.", kind);
  requireSize({ kind, bytes });
  return { kind, path, ...(await hashFile(path, onBytes)) };
}

/** Like `examine`. Throws 409 when the file is not the one that was measured. */
export async function examineFile(
  parts: ExaminationParts,
  file: LocalFile,
  signal: AbortSignal,
): Promise<LocalFile & Examined> {
  const examined = await examine(parts, file, signal);
  const original = examined.files.find(({ name }) => name === "original");
  if (original?.sha256 !== file.sha256) throw conflict("The file changed while it was read; try again.");
  return { ...file, ...examined };
}

/** Makes an upload of an examined file, ready to be used, and returns its id. Throws 409 like `createUpload`. */
export async function addUpload(
  transaction: Queryable,
  userId: number,
  { filename, ...file }: LocalFile & Examined & { filename: string },
  now: Date,
): Promise<string> {
  const id = newUploadId();
  await createUpload(
    transaction,
    { id, userId, bytes: file.bytes, ...readMetadata({ kind: file.kind, filename }) },
    now,
    // No limit, since these are the operator's own files.
    null,
  );
  await transaction
    .updateTable("uploads")
    .set({ received: file.bytes, status: "analysing" })
    .where("id", "=", id)
    .execute();
  // No beat waits for a new upload.
  await markReady({ db: transaction, clock: { nowMs: () => now.getTime() }, onEnd: async () => {} }, id, file);
  return id;
}
