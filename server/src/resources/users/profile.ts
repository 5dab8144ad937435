import { sql } from "kysely";
import type { Queryable } from "../../database/connection/connect.ts";
import { transact } from "../../database/connection/transaction.ts";
import { searchVector } from "../../text/search-words.ts";
import { emitEvents } from "../webhooks/events/outbox.ts";
import { findProfile } from "./queries.ts";
import { profileReference } from "./reference.ts";
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
  requestId: string;
  now: Date;
}

/** Keeps the search indexes of producers and their beats up to date with names. */
export interface ProducerNames {
  /** Called before the name is written. */
  remember(name: string): Promise<void>;
  /** Called in the transaction that changes the name. */
  rename(transaction: Queryable, userId: number, name: string): Promise<void>;
}

const fields = ["display_name", "bio", "location", "website", "avatar_url"] as const;

/**
 * Changes an account's profile and emits user.updated with the changed fields. Without changes it does nothing.
 * Returns the profile (docs/api/users.md, Update your profile).
 */
export async function updateProfile(
  db: Queryable,
  names: ProducerNames,
  { userId, requestId, now }: ProfileUpdate,
  changes: ProfileChanges,
): Promise<Profile> {
  if (changes.display_name !== undefined) await names.remember(changes.display_name);
  return transact(db, async (transaction) => {
    const before = await transaction
      .selectFrom("users")
      .select([...fields, "is_producer"])
      .where("id", "=", userId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const changed = fields.filter((field) => changes[field] !== undefined && changes[field] !== before[field]);
    if (changed.length === 0) return findProfile(transaction, userId);

    const { display_name } = changes;
    const isRenamed = display_name !== undefined && changed.includes("display_name");
    await transaction
      .updateTable("users")
      .set({
        ...Object.fromEntries(changed.map((field) => [field, changes[field]])),
        ...(isRenamed && {
          search: sql<string>`${searchVector([{ text: display_name, weight: "A" }])}::tsvector`,
        }),
        updated_at: now,
      })
      .where("id", "=", userId)
      .execute();
    if (isRenamed && before.is_producer) await names.rename(transaction, userId, display_name);
    const profile = await findProfile(transaction, userId);
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
  });
}
