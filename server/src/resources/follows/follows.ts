import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { findPlaces, type Listing, type PageRequest } from "@beatmarket/http/listing/seek.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import { findProducers } from "../users/queries.ts";
import type { Profile } from "../users/user.ts";

/** A producer, and whether an account follows the producer. */
export interface Follow {
  user_id: number;
  /** Null if the account does not follow the producer. */
  created_at: Date | null;
}

/** The maximum number of producers that an account follows. */
const maxFollows = 2_000;

/** A page of the producers whom the account follows, the newest first. */
export async function listFollowing(db: Queryable, request: PageRequest & { userId: number }): Promise<Page<Profile>> {
  const { userId } = request;
  const listing: Listing = {
    scope: `following ${userId}`,
    source: sql`from follows join users on users.id = producer_id where follows.user_id = ${userId} and is_producer`,
    key: sql.ref("follows.created_at"),
    keyType: "timestamptz",
    id: sql.ref("producer_id"),
    direction: "desc",
  };
  const page = await findPlaces(db, listing, request);
  const profiles = await findProducers(
    db,
    page.items.map(({ id }) => id),
  );
  return { ...page, items: page.items.flatMap(({ id }) => profiles.get(id) ?? []) };
}

/** Throws 404 for a user who does not sell beats, and 409 for the own account and beyond the maximum number. */
export async function follow(
  db: Queryable,
  { userId, producerId, now }: { userId: number; producerId: number; now: Date },
): Promise<Follow> {
  if (producerId === userId) throw conflict("You cannot follow yourself.");
  return transact(db, async (transaction) => {
    await lockUser(transaction, userId);
    await sql`
      insert into follows (user_id, producer_id, created_at)
      select ${userId}, id, ${now}::timestamptz from users where id = ${producerId} and is_producer
      on conflict do nothing`.execute(transaction);
    const { count } = await transaction
      .selectFrom("follows")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    if (Number(count) > maxFollows)
      throw conflict(`An account follows at most ${maxFollows.toLocaleString("en-US")} producers; leave one first.`);
    const row = await transaction
      .selectFrom("follows")
      .select(["producer_id as user_id", "created_at"])
      .where("user_id", "=", userId)
      .where("producer_id", "=", producerId)
      .executeTakeFirst();
    if (row === undefined) throw notFound(`User ${producerId} does not exist, or sells no beats.`);
    return row;
  });
}

export async function unfollow(db: Queryable, userId: number, producerId: number): Promise<void> {
  await db.deleteFrom("follows").where("user_id", "=", userId).where("producer_id", "=", producerId).execute();
}

/** Deletes the follows of an erased user, in both directions. */
export async function eraseFollows(transaction: Queryable, userId: number): Promise<void> {
  await sql`delete from follows where user_id = ${userId} or producer_id = ${userId}`.execute(transaction);
}
