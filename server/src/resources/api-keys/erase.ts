import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** Revokes every key of an owner who is erased, and takes away the names that the owner gave them. */
export async function revokeKeysOf(transaction: Queryable, ownerId: number, now: Date): Promise<void> {
  await transaction
    .updateTable("api_keys")
    .set({ name: "erased", revoked_at: sql`coalesce(revoked_at, ${now})` })
    .where("user_id", "=", ownerId)
    .execute();
}
