import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/**
 * Locks the user, so that changes that count the user's rows run one after the other. Throws 404 for an unknown user,
 * 401 for a user who was erased after the call was admitted.
 */
export async function lockUser(transaction: Queryable, id: number): Promise<void> {
  const user = await selectUser(transaction, id).forNoKeyUpdate().executeTakeFirst();
  if (user === undefined) throw notFound(`There is no user ${id}.`);
  if (user.username === erasedUsername(id)) throw accountDeleted();
}

/** Locks the user also against new rows with the user's id, such as orders. Waits for inserts in progress. */
export async function lockUserAgainstReferences(transaction: Queryable, id: number): Promise<void> {
  await selectUser(transaction, id).forUpdate().executeTakeFirst();
  await lockUser(transaction, id);
}

/** 401 for a call of an account that was deleted in the meantime. */
export const accountDeleted = (): ApiError =>
  new ApiError(401, "unauthorized", "Account deleted", "This account has been deleted; nothing was changed.");

/** The username of a user who was erased. No other username has an underscore. */
export const erasedUsername = (userId: number): string => `deleted_${userId}`;

/** Whether a row of `users` is one of a user who was erased. */
export const isErased = sql<boolean>`users.username = 'deleted_' || users.id`;

const selectUser = (transaction: Queryable, id: number) =>
  transaction.selectFrom("users").select("username").where("id", "=", id);
