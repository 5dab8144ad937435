import type { Queryable } from "../../database/connect.ts";
import { type ApiKey, apiKeyOf } from "./queries.ts";

/** The keys that work and that a person made, of all accounts or of one, since a time or ever; oldest first. */
export async function listKeysOfMaker(
  db: Queryable,
  { personId, accountId, since }: { personId: number; accountId?: number; since?: Date },
  now: Date,
): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("created_by", "=", personId)
    .where("revoked_at", "is", null)
    .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .$if(accountId !== undefined, (query) => query.where("user_id", "=", accountId as number))
    .$if(since !== undefined, (query) => query.where("created_at", ">=", since as Date))
    .orderBy("id")
    .execute();
  return rows.map(apiKeyOf);
}
