import type { Queryable } from "../../../database/connect.ts";

/** Deletes the reports of an erased user. */
export async function eraseUsage(transaction: Queryable, userId: number): Promise<void> {
  const licenses = transaction
    .selectFrom("licenses")
    .innerJoin("orders", "orders.id", "licenses.order_id")
    .select("licenses.id")
    .where("orders.user_id", "=", userId);
  await transaction.deleteFrom("license_usage_levels").where("license_id", "in", licenses).execute();
  await transaction.deleteFrom("license_usage").where("license_id", "in", licenses).execute();
}
