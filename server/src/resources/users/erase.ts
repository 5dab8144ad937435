import type { Queryable } from "../../database/connect.ts";
import { erasedUsername } from "../audit/lock-user.ts";
import { announceChanges, type ProfileUpdate } from "./profile.ts";
import { findProfile } from "./queries.ts";

/** The name that replaces the name of an erased user on orders and beats. */
export const erasedName = "Deleted account";

/**
 * Removes all personal data from a profile, and emits user.updated. The row stays, because orders refer to it. The row
 * has no address any more, so nobody can sign in to the account, and the address may register again.
 */
export async function eraseProfile(transaction: Queryable, update: ProfileUpdate): Promise<void> {
  const { userId, now } = update;
  const before = await findProfile(transaction, userId);
  await transaction
    .updateTable("users")
    .set({
      email: null,
      organisation: false,
      marketplace: false,
      is_producer: false,
      username: erasedUsername(userId),
      display_name: erasedName,
      bio: null,
      location: null,
      website: null,
      avatar_url: null,
      time_zone: null,
      language: null,
      embed_origins: [],
      links: [],
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
  await transaction.deleteFrom("profile_pictures").where("user_id", "=", userId).execute();
  await announceChanges(transaction, before, update);
}
