import type { Queryable } from "../../database/connection/connect.ts";
import { erasedUsername } from "../audit/lock-user.ts";
import { type ProfileUpdate, writeProfile } from "./profile.ts";

/** Whom orders and beats name in place of a user who was erased. */
export const erasedName = "Deleted account";

/**
 * Takes everything from a profile that says who it was, and emits user.updated. The row stays, since orders name it; it has no
 * address any more, so nobody signs in as it and it may register anew.
 */
export async function eraseProfile(transaction: Queryable, update: ProfileUpdate): Promise<void> {
  const { userId, now } = update;
  await transaction
    .updateTable("users")
    .set({
      email: null,
      organisation: false,
      username: erasedUsername(userId),
      marketplace: false,
      is_producer: false,
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
  await writeProfile(transaction, update, {
    display_name: erasedName,
    bio: null,
    location: null,
    website: null,
    avatar_url: null,
  });
}
