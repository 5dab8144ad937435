import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import { profileReference } from "./present.ts";
import { findProfile } from "./queries.ts";
import type { Profile } from "./user.ts";

/** The fields an account may change. An absent field stays unchanged, null clears it. */
export interface ProfileChanges {
  display_name?: string | undefined;
  bio?: string | null | undefined;
  location?: string | null | undefined;
  website?: string | null | undefined;
  avatar_url?: string | null | undefined;
}

/** The account, the request and the time of a change. */
export interface ProfileUpdate {
  userId: number;
  /** Null for an operator's command. */
  requestId: string | null;
  now: Date;
}

const fields = ["display_name", "bio", "location", "website", "avatar_url"] as const;
/** The fields whose change emits an event. The count of beats changes with events of beats. */
const announced = ["username", ...fields, "is_producer"] as const satisfies readonly (keyof Profile)[];

/**
 * Changes an account's profile and emits user.updated with the changed fields. Does nothing without changes. Returns
 * the profile (docs/api/users.md, Update your profile). Throws 401 for an account that was deleted in the meantime.
 */
export const updateProfile = (db: Queryable, update: ProfileUpdate, changes: ProfileChanges): Promise<Profile> =>
  transact(db, async (transaction) => {
    await lockUser(transaction, update.userId);
    return writeProfile(transaction, update, changes);
  });

/** Like `updateProfile`, for a user whom the transaction has locked. */
async function writeProfile(transaction: Queryable, update: ProfileUpdate, changes: ProfileChanges): Promise<Profile> {
  const before = await findProfile(transaction, update.userId);
  const changed = fields.filter((field) => changes[field] !== undefined && changes[field] !== before[field]);
  if (changed.length === 0) return before;
  await transaction
    .updateTable("users")
    .set({
      ...Object.fromEntries(changed.map((field) => [field, changes[field]])),
      updated_at: update.now,
    })
    .where("id", "=", update.userId)
    .execute();
  if (changed.includes("avatar_url"))
    await transaction.deleteFrom("profile_pictures").where("user_id", "=", update.userId).execute();
  return announceChanges(transaction, before, update);
}

/** Emits user.updated with the names of the fields that differ from `before`, if any. Returns the present profile. */
export async function announceChanges(
  transaction: Queryable,
  before: Profile,
  { requestId, now }: Pick<ProfileUpdate, "requestId" | "now">,
): Promise<Profile> {
  const profile = await findProfile(transaction, before.id);
  const changed = announced.filter((field) => before[field] !== profile[field]);
  if (changed.length > 0)
    await emitEvents(transaction, [
      {
        type: "user.updated",
        data: { ...profileReference(profile), changed },
        at: now,
        audience: "everyone",
        requestId,
      },
    ]);
  return profile;
}
