import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type Account, emitRegistered } from "./accounts.ts";
import { announceChanges } from "./profile.ts";
import { findProfile } from "./queries.ts";

// Changes of an imported producer when an account claims the producer.

/** Locks an unclaimed imported producer until the transaction ends. Returns null for other users. */
export async function lockUnclaimedProducer(
  transaction: Queryable,
  id: number,
): Promise<{ id: number; display_name: string } | null> {
  const producer = await transaction
    .selectFrom("users")
    .select(["id", "display_name"])
    .where("id", "=", id)
    .where("is_producer", "=", true)
    .where("email", "is", null)
    .where("organisation", "=", false)
    .where("joined_user_id", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return producer ?? null;
}

/**
 * Makes an unclaimed producer an account with this address, which no account has yet. Fails with a unique violation if
 * an account with that address is created concurrently.
 */
export async function becomeAccount(transaction: Queryable, id: number, email: string, now: Date): Promise<void> {
  await transaction.updateTable("users").set({ email, updated_at: now }).where("id", "=", id).execute();
  await emitRegistered(transaction, id, now);
}

/**
 * Records that the beats of an unclaimed producer belong to an account from now on, including beats of later imports.
 */
export async function joinAccount(
  transaction: Queryable,
  id: number,
  account: Pick<Account, "id">,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable("users")
    .set({ joined_user_id: account.id, updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** Returns the ids of the imported producers that joined an account. */
export async function listJoinedProducers(db: Queryable, userId: number): Promise<number[]> {
  const rows = await db.selectFrom("users").select("id").where("joined_user_id", "=", userId).orderBy("id").execute();
  return rows.map(({ id }) => id);
}

/**
 * Removes joined producers without beats from the list of producers, and emits user.updated. Their profiles stay,
 * because orders refer to them.
 */
export async function retireJoinedProducers(db: Queryable, now: Date): Promise<void> {
  await transact(db, async (transaction) => {
    const { rows } = await sql<{ id: number; was_producer: boolean }>`
      with retired as (
        select id, is_producer from users
        where joined_user_id is not null
          and (is_producer or exists (select from producer_counts where user_id = users.id))
          and not exists (select from beats where beats.user_id = users.id)
        order by id for no key update
      )
      update users set is_producer = false, updated_at = ${now} from retired where users.id = retired.id
      returning users.id, retired.is_producer as was_producer`.execute(transaction);
    for (const { id, was_producer } of rows) {
      const profile = await findProfile(transaction, id);
      await announceChanges(transaction, { ...profile, is_producer: was_producer }, { requestId: null, now });
    }
  });
}
