import { isUtf8 } from "node:buffer";
import { ApiError, conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { hasBidiControl, isVisible } from "@beatmarket/foundation/text/visible-text.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { hashFile } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import { type ExaminationParts, type Examined, examine } from "./analysis/findings.ts";
import { markReady } from "./analysis/upload-jobs.ts";
import { storageUse } from "./storage-use.ts";
import {
  maxBytesOf,
  maxOpenUploads,
  maxUnusedBytes,
  newUploadId,
  type UploadKind,
  uploadKinds,
  uploadLifetimeMs,
} from "./upload.ts";

export interface NewUpload {
  id: string;
  userId: number;
  kind: UploadKind;
  filename: string;
  bytes: number;
}

/**
 * Starts an upload. Throws 400 for an empty file, and 413 for a file that is too large for its kind. Throws 409 for an
 * account with too many open uploads, with too many unused bytes, or without enough storage in its plan.
 * `standardBytes` is the limit of plan standard, or null for no limit.
 */
export async function createUpload(
  db: Queryable,
  upload: NewUpload,
  now: Date,
  standardBytes: number | null,
): Promise<void> {
  const { id, userId, kind, filename, bytes } = upload;
  requireSize(upload);
  await transact(db, async (transaction) => {
    await requireUploadLimits(transaction, upload, now);
    if (standardBytes !== null) await requireStorage(transaction, upload, { now, standardBytes });
    await transaction
      .insertInto("uploads")
      .values({
        id,
        user_id: userId,
        kind,
        filename,
        bytes,
        created_at: now,
        expires_at: new Date(now.getTime() + uploadLifetimeMs),
      })
      .execute();
  });
}

/** Throws 400 for an empty file, and 413 for a file that is too large for its kind. */
export function requireSize(upload: Pick<NewUpload, "kind" | "bytes">): void {
  if (upload.bytes === 0) throw invalidRequest("Upload-Length is 0; a file has at least one byte.", "Upload-Length");
  if (upload.bytes > maxBytesOf[upload.kind]) throw tooLarge(upload);
}

/**
 * Throws 409 for too many open uploads or unused bytes. Locks the account, so that concurrent uploads are counted one
 * after the other.
 */
async function requireUploadLimits(transaction: Queryable, { userId, bytes }: NewUpload, now: Date): Promise<void> {
  await lockUser(transaction, userId);
  const { open, unused } = await transaction
    .selectFrom("uploads")
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere("status", "=", "receiving").as("open"),
      eb.fn.coalesce(eb.fn.sum<number>("bytes"), eb.lit(0)).as("unused"),
    ])
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  if (Number(open) >= maxOpenUploads)
    throw conflict(
      `You have ${maxOpenUploads} uploads that are not complete, the most that an account may have. Complete one, or delete one with DELETE /uploads/{upload_id}; GET /uploads lists them.`,
    );
  if (Number(unused) + bytes > maxUnusedBytes)
    throw conflict(
      `This file and your uploads that no beat uses have more than ${formatBytes(maxUnusedBytes)} together. Use one in a beat, delete one with DELETE /uploads/{upload_id}, or wait until they expire; GET /uploads lists them.`,
    );
}

async function requireStorage(
  transaction: Queryable,
  { userId, bytes }: NewUpload,
  setting: { now: Date; standardBytes: number },
): Promise<void> {
  const { usedBytes, maxBytes, plan } = await storageUse(transaction, { userId, ...setting });
  if (maxBytes === null || usedBytes + bytes <= maxBytes) return;
  throw conflict(
    `Your files take ${formatBytes(usedBytes)} of the ${formatBytes(maxBytes)} that an account of plan ${plan} may store, and this one has ${formatBytes(bytes)}. Delete drafts with DELETE /beats/{beat_id} and uploads with DELETE /uploads/{upload_id}, or ask the operator for a larger plan.`,
  );
}

const tooLarge = ({ kind, bytes }: Pick<NewUpload, "kind" | "bytes">): ApiError =>
  new ApiError(
    413,
    "invalid_request",
    "Payload too large",
    `A file of kind ${kind} may have at most ${formatBytes(maxBytesOf[kind])}; this one has ${bytes.toLocaleString("en")} bytes.`,
    { refusedBy: "parameter:Upload-Length" },
  );

const maxFilenameLength = 255;
const control = /\p{Cc}/u;

/**
 * Reads the decoded pairs of Upload-Metadata. Throws 400, which names the pair, for a missing or invalid pair. Ignores
 * other pairs.
 */
export function readMetadata(pairs: Readonly<Record<string, string | null>>): Pick<NewUpload, "kind" | "filename"> {
  const { kind, filename } = pairs;
  if (!isKind(kind))
    throw invalidPair(
      "kind",
      kind
        ? `is ${quoted(kind)}; it must be one of ${uploadKinds.join(", ")}`
        : `must be one of ${uploadKinds.join(", ")}`,
    );
  // Old browsers send a path. Use its last part.
  const name = (filename ?? "").normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  if (!isVisible(name) || name === "." || name === "..")
    throw invalidPair("filename", "must name the file, such as beat.wav");
  if (name.length > maxFilenameLength)
    throw invalidPair("filename", `has ${name.length} characters; it may have at most ${maxFilenameLength}`);
  if (control.test(name) || hasBidiControl(name) || !name.isWellFormed())
    throw invalidPair("filename", "contains control characters; send it without them");
  return { kind, filename: name };
}

/** Throws 400 if the value of a pair in Upload-Metadata, decoded from Base64, is not UTF-8. */
export function requireUtf8(metadata: string, pair: string): void {
  for (const each of metadata.split(",")) {
    const [name, value = ""] = each.trim().split(" ");
    if (name === pair && !isUtf8(Buffer.from(value, "base64")))
      throw invalidPair(pair, "is not in UTF-8; encode the text as UTF-8 before Base64");
  }
}

const isKind = (kind: string | null | undefined): kind is UploadKind =>
  (uploadKinds as readonly (string | null | undefined)[]).includes(kind);

const invalidPair = (pair: string, problem: string) =>
  invalidRequest(`The ${pair} in Upload-Metadata ${problem}.`, `Upload-Metadata ${pair}`);

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

/** Creates a ready upload from an examined file, and returns its id. Throws like `createUpload`. */
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
    // There is no storage limit for the operator's own files.
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
