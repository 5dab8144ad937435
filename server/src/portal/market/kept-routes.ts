import { notFound } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { BeatId } from "../../resources/beats/schema.ts";
import { shownSql } from "../../resources/beats/state.ts";
import { addFavorites, removeFavorite } from "../../resources/favorites/favorites.ts";
import { follow, unfollow } from "../../resources/follows/follows.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const tag = "Market";
const closed = { additionalProperties: false };

const Kept = Type.Object(
  {
    favorite: Type.Boolean({ description: "Whether the beat is one of the person's favorites." }),
    following: Type.Boolean({ description: "Whether the person follows the beat's producer." }),
  },
  { $id: "Kept", ...closed },
);

/**
 * A person's favorite beats and followed producers. They belong to the person, even while the person acts as an
 * organisation.
 */
export const keptRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "getKept",
    permission: "self",
    method: "GET",
    path: "/market/beats/:beat_id/kept",
    tag,
    summary: "Get whether a beat is a favorite, and whether the person follows its producer",
    params: BeatId,
    response: Kept,
    handle: async ({ db, account, params }) => keptOf(await findKept(db, account.personId, params.beat_id)),
  }),
  portalRoute({
    operationId: "changeKept",
    permission: "self",
    method: "PATCH",
    path: "/market/beats/:beat_id/kept",
    tag,
    summary:
      "Add a beat to the favorites or remove it, and follow or unfollow its producer; an omitted field stays the same",
    params: BeatId,
    body: Type.Object(
      { favorite: Type.Optional(Type.Boolean()), following: Type.Optional(Type.Boolean()) },
      { minProperties: 1, ...closed },
    ),
    response: Kept,
    refusals: [409],
    handle: async ({ db, clock, account, params, body }) => {
      const userId = account.personId;
      const now = new Date(clock.nowMs());
      const { producer_id: producerId } = await findKept(db, userId, params.beat_id);
      if (body.favorite === true) await addFavorites(db, { userId, beatIds: [params.beat_id], now });
      if (body.favorite === false) await removeFavorite(db, userId, params.beat_id);
      if (body.following === true) await follow(db, { userId, producerId, now });
      if (body.following === false) await unfollow(db, userId, producerId);
      return keptOf(await findKept(db, userId, params.beat_id));
    },
  }),
];

const keptOf = ({ favorite, following }: Type.Static<typeof Kept>) => ({ favorite, following });

/** Whether a beat is a favorite and its producer is followed. Throws 404 unless the beat is public or a favorite. */
async function findKept(db: Queryable, userId: number, beatId: number) {
  const { rows } = await sql<Type.Static<typeof Kept> & { producer_id: number; shown: boolean }>`
    select beats.user_id as producer_id,
      exists (select from favorites where user_id = ${userId} and beat_id = beats.id) as favorite,
      exists (select from follows where user_id = ${userId} and producer_id = beats.user_id) as following,
      ${sql.raw(shownSql)} as shown
    from beats where id = ${beatId}`.execute(db);
  const [row] = rows;
  if (row === undefined || !(row.shown || row.favorite)) throw notFound(`There is no beat ${beatId}.`);
  return row;
}
