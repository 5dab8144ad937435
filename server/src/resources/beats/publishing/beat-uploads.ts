import { ApiError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { releaseUploads, useUpload } from "../../uploads/queries.ts";
import type { UploadKind } from "../../uploads/upload.ts";
import type { PublishingContext } from "./context.ts";

/** Whether another account has published a beat with exactly this recording: the same file, by its SHA-256. */
export async function isPublishedByAnother(db: Queryable, userId: number, sha256: string): Promise<boolean> {
  const uploads = await db
    .selectFrom("beat_files")
    .innerJoin("beats", "beats.id", "beat_files.beat_id")
    .select("beat_id")
    .where("beat_files.name", "=", "master")
    .where("beat_files.sha256", "=", sha256)
    .where("beats.user_id", "<>", userId)
    .limit(1)
    .executeTakeFirst();
  return uploads !== undefined;
}

export const duplicateReason =
  "Another producer has published this very recording. If it is yours, write to the marketplace, which can allow it.";

/** The 409 for a recording that another account has published. */
export const duplicate = (): ApiError =>
  new ApiError(409, "invalid_request", "Duplicate", duplicateReason, { refusedBy: "duplicate" });

/** The body fields that name uploads. Null removes the file. */
export interface MediaFields {
  audio?: string | undefined;
  cover?: string | null | undefined;
  stems?: string | null | undefined;
  preview_tag?: string | undefined;
}

/** Columns of `beat_productions`. */
export interface MediaColumns {
  audio_upload_id?: string | null;
  cover_upload_id?: string | null;
  stems_upload_id?: string | null;
  preview_tag?: string;
}

/**
 * Marks the uploads that a body names as used, so that they do not expire. Throws 400 naming the field for one that
 * cannot be used, and 409 for a recording that another account has published.
 */
export async function takeMedia(
  transaction: Queryable,
  { clock, allowsDuplicates }: Pick<PublishingContext, "clock" | "allowsDuplicates">,
  userId: number,
  { audio, cover, stems, preview_tag }: MediaFields,
): Promise<MediaColumns> {
  const now = new Date(clock.nowMs());
  const take = (id: string, kind: UploadKind, field: string) =>
    useUpload(transaction, { id, userId, kind, field, now });
  const audioUpload = audio === undefined ? null : await take(audio, "audio", "audio");
  if (audioUpload !== null && audioUpload.sha256 !== null && !allowsDuplicates)
    if (await isPublishedByAnother(transaction, userId, audioUpload.sha256)) throw duplicate();
  if (typeof cover === "string") await take(cover, "cover", "cover");
  if (typeof stems === "string") await take(stems, "stems", "stems");
  if (preview_tag !== undefined && isUpload(preview_tag)) await take(preview_tag, "audio", "preview_tag");
  return {
    ...(audio !== undefined && { audio_upload_id: audio }),
    ...(cover !== undefined && { cover_upload_id: cover }),
    ...(stems !== undefined && { stems_upload_id: stems }),
    ...(preview_tag !== undefined && { preview_tag }),
  };
}

/** The uploads that a beat uses now. */
export const mediaOf = (db: Queryable, beatId: number): Promise<MediaColumns> =>
  db
    .selectFrom("beat_productions")
    .select(["audio_upload_id", "cover_upload_id", "stems_upload_id", "preview_tag"])
    .where("beat_id", "=", beatId)
    .executeTakeFirstOrThrow();

export const isUpload = (previewTag: string): boolean => previewTag !== "default" && previewTag !== "none";

/** Releases the uploads that no beat uses any more, so that they expire like unused ones. */
export async function releaseMedia(
  transaction: Queryable,
  { audio_upload_id, cover_upload_id, stems_upload_id, preview_tag }: MediaColumns,
  now: Date,
): Promise<void> {
  const ids = [audio_upload_id, cover_upload_id, stems_upload_id, preview_tag].filter(
    (id) => typeof id === "string" && isUpload(id),
  ) as string[];
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as given (id)
    where not exists (
      select from beat_productions where given.id in (audio_upload_id, cover_upload_id, stems_upload_id, preview_tag))
      and not exists (select from license_defaults where preview_tag = given.id)`.execute(transaction);
  await releaseUploads(
    transaction,
    rows.map(({ id }) => id),
    now,
  );
}
