import { conflict } from "@beatmarket/foundation/errors.ts";
import { findPlaces, type Listing, type PageRequest } from "@beatmarket/http/listing/seek.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import type { BeatCatalogue } from "../beats/catalogue/beat-catalogue.ts";
import type { BeatsPage } from "../beats/list-beats.ts";

/** A beat, and whether it is among an account's favorites. */
export interface Favorite {
  beat_id: number;
  /** Null if it is not a favorite. */
  created_at: Date | null;
}

/** The maximum number of an account's favorites. */
const maxFavorites = 5_000;

/** A page of the favorites that are on sale, newest first. */
export async function listFavorites(
  { db, rows }: { db: Queryable; rows: BeatCatalogue },
  request: PageRequest & { userId: number },
): Promise<BeatsPage> {
  const { userId } = request;
  const listing: Listing = {
    scope: `favorites ${userId}`,
    source: sql`from favorites join beats on beats.id = beat_id where favorites.user_id = ${userId} and is_listed`,
    key: sql.ref("favorites.created_at"),
    keyType: "timestamptz",
    id: sql.ref("beat_id"),
    direction: "desc",
  };
  const page = await findPlaces(db, listing, request);
  return { ...page, items: await rows.listed(page.items.map(({ id }) => id)), fields: undefined };
}

/** Adds beats; existing favorites keep their time. Unknown beats are left out. Throws 409 beyond the maximum number. */
export async function addFavorites(
  db: Queryable,
  { userId, beatIds, now }: { userId: number; beatIds: readonly number[]; now: Date },
): Promise<Favorite[]> {
  return transact(db, async (transaction) => {
    await lockUser(transaction, userId);
    await sql`
      insert into favorites (user_id, beat_id, created_at)
      select ${userId}, id, ${now}::timestamptz from beats where id = any(${beatIds}::bigint[]) and is_listed
      on conflict do nothing`.execute(transaction);
    const { count } = await transaction
      .selectFrom("favorites")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    if (Number(count) > maxFavorites)
      throw conflict(`An account has at most ${maxFavorites.toLocaleString("en-US")} favorites; remove one first.`);
    return transaction
      .selectFrom("favorites")
      .select(["beat_id", "created_at"])
      .where("user_id", "=", userId)
      .where("beat_id", "=", sql<number>`any(${beatIds}::bigint[])`)
      .execute();
  });
}

export async function removeFavorite(db: Queryable, userId: number, beatId: number): Promise<void> {
  await db.deleteFrom("favorites").where("user_id", "=", userId).where("beat_id", "=", beatId).execute();
}

export async function eraseFavorites(transaction: Queryable, userId: number): Promise<void> {
  await transaction.deleteFrom("favorites").where("user_id", "=", userId).execute();
}
