import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { hashFile } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../database/connect.ts";
import { type ExaminationParts, type Examined, examine } from "./analysis/findings.ts";
import { markReady } from "./analysis/upload-jobs.ts";
import { createUpload, readMetadata, requireSize } from "./create-upload.ts";
import { newUploadId, type UploadKind } from "./upload.ts";

// Creates uploads from local files, for the operator's command.

/** A local file, with its hash and size at the time of measurement. */
export interface LocalFile {
  kind: UploadKind;
  path: string;
  /** Lower-case hex. */
  sha256: string;
  bytes: number;
}

/** Reads a local file to its end. Throws 400 for an empty file, and 413 for a file that is too large for its kind. */
export async function measureFile(
  { kind, path, bytes }: { kind: UploadKind; path: string; bytes: number },
  onBytes: (bytes: number) => void,
): Promise<LocalFile> {
  if (bytes === 0) throw invalidRequest("The file is empty.", kind);
  requireSize({ kind, bytes });
  return { kind, path, ...(await hashFile(path, onBytes)) };
}

/** Examines a measured file like `examine`. Throws 409 if the file has changed since the measurement. */
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

/** Creates a ready upload from an examined file, and returns its id. Throws 409 like `createUpload`. */
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
    // There is no limit for the operator's own files.
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
