import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import { findPlaces, type Listing, type PageRequest } from "@beatmarket/http/listing/seek.ts";
import { afterParameter, pageParameters, ReferencePagination } from "@beatmarket/http/pagination.ts";
import { type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import Type from "typebox";
import type { Queryable, ReadServer } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import type { BeatCatalogue } from "../beats/catalogue/beat-catalogue.ts";
import type { BeatsPage } from "../beats/list-beats.ts";
import { beatsConsole, beatsReference } from "../beats/present.ts";
import { BeatId, ConsoleBeat, ReferenceBeat } from "../beats/schema.ts";

const FavoritesQuery = Type.Object({ ...pageParameters(20, 100), ...afterParameter });

const FavoritesResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ beats: Type.Array(ReferenceBeat), pagination: ReferencePagination }),
  console: Type.Array(ConsoleBeat),
  meta: true,
};

const FavoriteSchema = Type.Object(
  {
    beat_id: Type.Integer(),
    created_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "When the beat was added: ISO 8601, UTC, whole seconds. Null for a beat that is not a favorite.",
    }),
  },
  { $id: "Favorite", description: "A beat among the favorites of an account." },
);
const FavoriteResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ favorite: FavoriteSchema }),
  console: FavoriteSchema,
};

const favoriteFields = ({ beat_id, created_at }: Favorite) => ({
  beat_id,
  created_at: created_at === null ? null : timestamp(created_at),
});
const present = {
  reference: (favorite: Favorite) => ({ favorite: favoriteFields(favorite) }),
  console: (favorite: Favorite) => ({ data: favoriteFields(favorite) }),
};

/** The favorites of the key's account (docs/api/favorites.md). */
export const favoriteRoutes = (beatsOn: (server: ReadServer) => BeatCatalogue) => [
  route({
    operationId: "listFavorites",
    client: "favorites.list",
    method: "GET",
    path: "/users/me/favorites",
    tag: "Favorites",
    summary: "List your favorites",
    description:
      "Returns the account's favorite beats that are on sale, the newest favorite first, one page at a time.",
    permission: "users:read",
    query: FavoritesQuery,
    response: FavoritesResponse,
    present: { reference: beatsReference, console: beatsConsole },
    examples: { success: { parameters: { limit: 2 } }, invalid: { parameters: { limit: 0 } } },
    handle: ({ db, server, caller, query }) =>
      listFavorites({ db, catalogue: beatsOn(server) }, { ...query, userId: caller.userId }),
  }),
  route({
    operationId: "addFavorite",
    client: "favorites.add",
    method: "PUT",
    path: "/users/me/favorites/:beat_id",
    tag: "Favorites",
    summary: "Add a favorite",
    description: "Adds a beat on sale to the favorites. If the beat is a favorite already, its `created_at` stays.",
    permission: "profile:write",
    params: BeatId,
    response: FavoriteResponse,
    present,
    changesContent: () => false,
    conflict: `The account has ${maxFavorites.toLocaleString("en-US")} favorites, the maximum.`,
    examples: {
      success: { parameters: { beat_id: 1 } },
      invalid: { parameters: { beat_id: "latest" } },
      missing: { parameters: { beat_id: 999999 } },
    },
    handle: async ({ db, clock, caller, params }) => {
      const request = { userId: caller.userId, beatIds: [params.beat_id], now: new Date(clock.nowMs()) };
      const [favorite] = await addFavorites(db, request);
      if (favorite === undefined) throw notFound(`Beat ${params.beat_id} does not exist, or is not on sale.`);
      return favorite;
    },
  }),
  route({
    operationId: "removeFavorite",
    client: "favorites.remove",
    method: "DELETE",
    path: "/users/me/favorites/:beat_id",
    tag: "Favorites",
    summary: "Remove a favorite",
    description: "Removes a beat from the favorites. It is no error if the beat is not a favorite.",
    permission: "profile:write",
    params: BeatId,
    response: FavoriteResponse,
    present,
    changesContent: () => false,
    examples: {
      success: { parameters: { beat_id: 1 } },
      invalid: { parameters: { beat_id: "latest" } },
      // An id beyond the largest possible one.
      missing: { parameters: { beat_id: "9007199254740993" } },
    },
    handle: async ({ db, caller, params }) => {
      await removeFavorite(db, caller.userId, params.beat_id);
      return { beat_id: params.beat_id, created_at: null };
    },
  }),
];

/** A beat, and whether it is among an account's favorites. */
interface Favorite {
  beat_id: number;
  /** Null if it is not a favorite. */
  created_at: Date | null;
}

/** The maximum number of an account's favorites. */
const maxFavorites = 5_000;

/** A page of the favorites that are on sale, newest first. */
export async function listFavorites(
  { db, catalogue }: { db: Queryable; catalogue: BeatCatalogue },
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
  return { ...page, items: await catalogue.listed(page.items.map(({ id }) => id)), fields: undefined };
}

/**
 * Adds beats, and returns them as favorites. An existing favorite keeps its time, even if the beat is off sale. Omits
 * unknown beats, and beats off sale that are not favorites. Throws 409 above the maximum number.
 */
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
