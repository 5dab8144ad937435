import { notFound } from "@beatmarket/foundation/errors.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import { afterParameter, pageParameters, ReferencePagination } from "@beatmarket/http/pagination.ts";
import { type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import type { ReadServer } from "../../database/connect.ts";
import type { BeatCatalogue } from "../beats/catalogue/beat-catalogue.ts";
import { beatsConsole, beatsReference } from "../beats/present.ts";
import { BeatId, ConsoleBeat, ReferenceBeat } from "../beats/schema.ts";
import { addFavorites, type Favorite, listFavorites, removeFavorite } from "./favorites.ts";

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
      description: "ISO 8601, UTC, whole seconds. Null for a beat that is no favorite.",
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
    description: "The account's favorite beats that are on sale, the newest favorite first, one page at a time.",
    permission: "users:read",
    query: FavoritesQuery,
    response: FavoritesResponse,
    present: { reference: beatsReference, console: beatsConsole },
    examples: { success: { parameters: { limit: 2 } }, invalid: { parameters: { limit: 0 } } },
    handle: ({ db, server, caller, query }) =>
      listFavorites({ db, rows: beatsOn(server) }, { ...query, userId: caller.userId }),
  }),
  route({
    operationId: "addFavorite",
    client: "favorites.add",
    method: "PUT",
    path: "/users/me/favorites/:beat_id",
    tag: "Favorites",
    summary: "Add a favorite",
    description: "Adds a beat that is on sale. A beat that is a favorite already keeps its time.",
    permission: "profile:write",
    params: BeatId,
    response: FavoriteResponse,
    present,
    changesContent: () => false,
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
    description: "Removes a beat from the favorites. A beat that is no favorite is no error.",
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
