import type { Queryable } from "../../database/connection/connect.ts";
import { notFound } from "../../errors.ts";

/** Locks the user, so that changes that count the user's rows run one after the other. 404 for an unknown user. */
export async function lockUser(transaction: Queryable, id: number): Promise<void> {
  const user = await transaction
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (user === undefined) throw notFound(`There is no user ${id}.`);
}
