import type { Queryable } from "../../database/connect.ts";
import { type ProfileUpdate, updateProfile } from "./profile.ts";
import type { Profile } from "./user.ts";

/** A stored picture. */
export interface PictureFile {
  sha256: string;
  bytes: number;
}

/** Where anyone gets an account's picture. The digits of the hash make it the address of this picture forever. */
const picturePath = (userId: number, sha256: string): string =>
  `/media/users/${userId}/picture-${sha256.slice(0, 12)}.jpg`;

/**
 * Makes a stored file the account's profile picture, or removes the one there is (null), and emits user.updated. Returns the
 * profile. `db` is a transaction in which the file cannot be deleted.
 */
export async function changePicture(
  db: Queryable,
  update: ProfileUpdate,
  file: PictureFile | null,
  publicUrl: string,
): Promise<Profile> {
  const { userId, now } = update;
  const avatar_url = file === null ? null : `${publicUrl}${picturePath(userId, file.sha256)}`;
  const profile = await updateProfile(db, update, { avatar_url });
  if (file !== null) {
    const row = { sha256: file.sha256, bytes: file.bytes, created_at: now };
    await db
      .insertInto("profile_pictures")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
  }
  return profile;
}

/** The account's uploaded picture whose hash begins so; undefined where it is another one, or nobody's to see. */
export const findPicture = (db: Queryable, userId: number, hash: string): Promise<PictureFile | undefined> =>
  db
    .selectFrom("profile_pictures as picture")
    .innerJoin("users", "users.id", "picture.user_id")
    .select(["picture.sha256", "picture.bytes"])
    .where("picture.user_id", "=", userId)
    .where("users.suspended_at", "is", null)
    .where("picture.sha256", "like", `${hash}%`)
    .executeTakeFirst();
