import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { type Endpoint, endpointOf } from "../endpoint.ts";

/**
 * The enabled endpoints that a person made, or gave their present address, of all accounts or of one, since a time or ever;
 * oldest first.
 */
export async function listEndpointsOfMaker(
  db: Queryable,
  { personId, accountId, since = new Date(0) }: { personId: number; accountId?: number; since?: Date },
): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("kind", "=", "http")
    .where("state", "=", "enabled")
    .where(
      sql<boolean>`(created_by = ${personId} and created_at >= ${since} or url_set_by = ${personId} and url_set_at >= ${since})`,
    )
    .$if(accountId !== undefined, (query) => query.where("user_id", "=", accountId as number))
    .orderBy("id")
    .execute();
  return rows.map(endpointOf);
}
