import { conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { type PageRequest, pageOf, planPage } from "@beatmarket/http/listing/seek.ts";
import { enqueue } from "@beatmarket/jobs/queue.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { PartDrafts } from "@beatmarket/resumable-uploads/drafts.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type Analysis, isUploadId, jobKindOf, type Upload, type UploadKind, uploadLifetimeMs } from "./upload.ts";

/**
 * Returns an upload of the account. Throws 400 for an invalid id, and 404 if the upload does not exist, has expired or
 * belongs to another account.
 */
export async function findUpload(db: Queryable, userId: number, id: string, now: Date): Promise<Upload> {
  requireUploadId(id);
  const upload = await selectUploads(db)
    .where("uploads.id", "=", id)
    .where("user_id", "=", userId)
    .where((eb) => eb.or([eb("used_at", "is not", null), eb("expires_at", ">", now)]))
    .executeTakeFirst();
  if (upload === undefined) throw unknownUpload(id);
  return upload;
}

function requireUploadId(id: string): void {
  if (!isUploadId(id))
    throw invalidRequest("The upload_id parameter must be upl_ and 22 letters and digits.", "upload_id");
}

export const unknownUpload = (id: string) =>
  notFound(`You have no upload ${id}. Uploads that no beat uses are deleted after 24 hours.`);

export interface UploadsRequest extends PageRequest {
  userId: number;
  /** Whether to list only uploads that no beat uses. */
  isUnused?: boolean;
}

/** Returns one page of the account's uploads, newest first. */
export async function listUploads(db: Queryable, request: UploadsRequest, now: Date): Promise<Page<Upload>> {
  const { userId, isUnused = false, page, limit } = request;
  const plan = planPage(
    { scope: `uploads ${userId} ${isUnused}`, keyType: "timestamptz", idType: "text" },
    { page, limit, after: request.after },
  );
  const ownUploads = selectUploads(db)
    .where("user_id", "=", userId)
    .where((eb) =>
      isUnused
        ? eb.and([eb("used_at", "is", null), eb("expires_at", ">", now)])
        : eb.or([eb("used_at", "is not", null), eb("expires_at", ">", now)]),
    );
  const { total } = await ownUploads
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const { seek } = plan;
  const isBackward = seek?.direction === "backward";
  const order = isBackward ? "asc" : "desc";
  const rows = await (seek === null
    ? ownUploads.offset((page - 1) * limit)
    : ownUploads.where(
        sql<boolean>`(created_at, uploads.id) ${isBackward ? sql`>` : sql`<`} (${seek.key}::timestamptz, ${seek.id}::text)`,
      )
  )
    .orderBy("created_at", order)
    .orderBy("uploads.id", order)
    .limit(limit + 1)
    .execute();
  return pageOf(plan, rows, total, ({ created_at }) => created_at);
}

/** Returns the account's uploads with these ids, by id. */
export async function findUploads(
  db: Queryable,
  userId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Upload>> {
  if (ids.length === 0) return new Map();
  const uploads = await selectUploads(db).where("user_id", "=", userId).where("uploads.id", "in", ids).execute();
  return new Map(uploads.map((upload) => [upload.id, upload]));
}

/** Deletes an upload with its files. Throws 404 for an unknown upload, and 409 for an upload that a beat uses. */
export async function deleteUpload(db: Queryable, userId: number, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("uploads")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .executeTakeFirst();
  if (numDeletedRows > 0n) return;
  const upload = await db
    .selectFrom("uploads")
    .select("id")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  throw upload === undefined
    ? unknownUpload(id)
    : conflict("A beat uses this upload. Replace it in the beat, or withdraw the beat.");
}

/**
 * Queues another analysis of an upload that was rejected because of a fault of the service. An upload that is not
 * rejected stays unchanged. Throws 400 and 404 like `findUpload`, and 409 if the file itself is unusable.
 */
export const retryUpload = (db: Queryable, userId: number, id: string, now: Date): Promise<Upload> =>
  transact(db, async (transaction) => {
    requireUploadId(id);
    const ownUpload = transaction.selectFrom("uploads").select("id").where("id", "=", id).where("user_id", "=", userId);
    await ownUpload.forUpdate().execute();
    const upload = await findUpload(transaction, userId, id, now);
    if (upload.status !== "rejected") return upload;
    if (!upload.is_retriable) throw conflict(`The file itself was rejected: ${upload.rejection} Upload another one.`);
    await transaction
      .updateTable("uploads")
      .set({ status: "analysing", rejection: null, is_retriable: false })
      .where("id", "=", id)
      .execute();
    await enqueue(transaction, { kind: jobKindOf[upload.kind], subject: id, userId, now });
    return findUpload(transaction, userId, id, now);
  });

/** The requirements of a beat for an upload. */
export interface UploadUse {
  id: string;
  userId: number;
  kind: UploadKind;
  /** The body field that names the upload, for the error. */
  field: string;
  now: Date;
}

/**
 * Marks an upload as used by a beat, so that it does not expire, and locks it until the transaction ends. Its bytes
 * must have arrived; its analysis may be pending. Throws 400, which names the field, for an unknown upload, for an
 * upload of another account or kind, and for an incomplete or rejected upload.
 */
export async function useUpload(transaction: Queryable, { id, userId, kind, field, now }: UploadUse): Promise<Upload> {
  const invalidUpload = (reason: string) => invalidRequest(`The ${field} field names an upload ${reason}`, field);
  const upload = await selectUploads(transaction)
    .where("uploads.id", "=", id)
    .where("user_id", "=", userId)
    .where((eb) => eb.or([eb("used_at", "is not", null), eb("expires_at", ">", now)]))
    .forUpdate("uploads")
    .executeTakeFirst();
  if (upload === undefined) throw invalidUpload(`that you do not have: ${quoted(id)}. Upload the file first.`);
  if (upload.kind !== kind) throw invalidUpload(`of kind ${upload.kind}; one of kind ${kind} is needed.`);
  if (upload.status === "rejected") throw invalidUpload(`that was rejected: ${upload.rejection}`);
  if (upload.status === "receiving")
    throw invalidUpload(`that is not complete: ${upload.received} of ${upload.bytes} bytes have arrived.`);
  if (upload.used_at === null)
    await transaction.updateTable("uploads").set({ used_at: now }).where("id", "=", id).execute();
  return { ...upload, used_at: upload.used_at ?? now };
}

/** Gives a new expiry to uploads that no beat uses any more, as if they were new. */
export async function releaseUploads(transaction: Queryable, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable("uploads")
    .set({ used_at: null, expires_at: new Date(now.getTime() + uploadLifetimeMs) })
    .where("id", "in", ids)
    .execute();
}

/** Removes the file names of an erased user's uploads. The files of withdrawn beats stay for the buyers. */
export async function eraseFilenames(transaction: Queryable, userId: number): Promise<void> {
  await transaction.updateTable("uploads").set({ filename: "erased" }).where("user_id", "=", userId).execute();
}

/** The original file of an upload, or a file that the analysis made. */
export interface UploadFile {
  /**
   * `original`, or the name of a file that the analysis made: `waveform`, `waveform-detail`, `cover` or `cover-small`.
   */
  name: string;
  sha256: string;
  bytes: number;
  content_type: string;
}

/** Returns the files of a ready upload, sorted by name. */
export const filesOfUpload = (db: Queryable, id: string): Promise<UploadFile[]> =>
  db
    .selectFrom("upload_files")
    .select(["name", "sha256", "bytes", "content_type"])
    .where("upload_id", "=", id)
    .orderBy("name")
    .execute();

const columns = [
  "uploads.id",
  "user_id",
  "kind",
  "filename",
  "uploads.bytes",
  "received",
  "status",
  "rejection",
  "is_retriable",
  "analysis",
  "original.sha256",
  "used_at",
  "created_at",
  "expires_at",
] as const;

export const selectUploads = (db: Queryable) =>
  db
    .selectFrom("uploads")
    .leftJoin("upload_files as original", (join) =>
      join.onRef("original.upload_id", "=", "uploads.id").on("original.name", "=", "original"),
    )
    .select(columns)
    .$narrowType<{ kind: UploadKind; status: Upload["status"]; analysis: Analysis | null }>();

const maxPerSweep = 1_000;
/**
 * After this time without a write, a draft is abandoned. The minimum rate of bodies makes a writer write much more
 * often.
 */
const abandonedAfterMs = 3_600_000;

/**
 * Deletes unused uploads that have expired, and drafts of crashed processes on this instance. The storage's sweep
 * deletes the objects of these uploads.
 */
export async function sweepUploads(db: Queryable, drafts: PartDrafts, now: Date): Promise<void> {
  const expired = db
    .selectFrom("uploads")
    .select("id")
    .where("used_at", "is", null)
    .where("expires_at", "<=", now)
    .limit(maxPerSweep)
    .forUpdate()
    .skipLocked();
  await db.deleteFrom("uploads").where("id", "in", expired).execute();
  await drafts.sweep(new Date(now.getTime() - abandonedAfterMs));
}
