import type { Queryable } from "../../../database/connect.ts";

/** Deletes the endpoints of a user who is erased. Their deliveries go with retention. */
export async function deleteEndpointsOf(transaction: Queryable, userId: number): Promise<void> {
  await transaction.deleteFrom("webhook_endpoints").where("user_id", "=", userId).execute();
}
