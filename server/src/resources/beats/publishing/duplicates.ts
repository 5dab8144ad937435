import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../../database/connect.ts";

/** Whether another account has published a beat with this very recording: the same file, by its SHA-256. */
export async function isPublishedByAnother(db: Queryable, userId: number, sha256: string): Promise<boolean> {
  const found = await db
    .selectFrom("beat_files")
    .innerJoin("beats", "beats.id", "beat_files.beat_id")
    .select("beat_id")
    .where("beat_files.name", "=", "master")
    .where("beat_files.sha256", "=", sha256)
    .where("beats.user_id", "<>", userId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export const duplicateReason =
  "Another producer has published this very recording. If it is yours, write to the marketplace, which can allow it.";

/** 409 for a recording that another account has published. */
export const duplicate = (): ApiError =>
  new ApiError(409, "invalid_request", "Duplicate", duplicateReason, { refusedBy: "duplicate" });
