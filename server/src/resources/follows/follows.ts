import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { findPlaces, type Listing, type PageRequest } from "@beatmarket/http/listing/seek.ts";
import {
  afterParameter,
  consoleMeta,
  pageParameters,
  ReferencePagination,
  referencePagination,
} from "@beatmarket/http/pagination.ts";
import { type PresenterContext, type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { lockUser } from "../audit/lock-user.ts";
import { ProfileSchema, profileReference, UserId } from "../users/present.ts";
import { findProducers, type Profile } from "../users/queries.ts";

const FollowingQuery = Type.Object({ ...pageParameters(20, 100), ...afterParameter });

const FollowingResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ users: Type.Array(ProfileSchema), pagination: ReferencePagination }),
  console: Type.Array(ProfileSchema),
  meta: true,
};

const FollowSchema = Type.Object(
  {
    user_id: Type.Integer({ description: "The id of the producer." }),
    created_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "Since when the account follows the producer: ISO 8601, UTC, whole seconds. Null if it does not.",
    }),
  },
  { $id: "Follow", description: "A producer whom an account follows." },
);
const FollowResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ follow: FollowSchema }),
  console: FollowSchema,
};

const followFields = ({ user_id, created_at }: Follow) => ({
  user_id,
  created_at: created_at === null ? null : timestamp(created_at),
});
const present = {
  reference: (each: Follow) => ({ follow: followFields(each) }),
  console: (each: Follow) => ({ data: followFields(each) }),
};

/** The producers whom the key's account follows (docs/api/favorites.md, Follow a producer). */
export const followRoutes = [
  route({
    operationId: "listFollowing",
    client: "users.following",
    method: "GET",
    path: "/users/me/following",
    tag: "Favorites",
    summary: "List the producers whom you follow",
    description:
      "Returns the profiles of the producers that the account follows, the newest first, one page at a time.",
    permission: "users:read",
    query: FollowingQuery,
    response: FollowingResponse,
    present: {
      reference: (page: Page<Profile>, context: PresenterContext) => ({
        users: page.items.map(profileReference),
        pagination: referencePagination(page, context),
      }),
      console: (page: Page<Profile>) => ({ data: page.items.map(profileReference), meta: consoleMeta(page) }),
    },
    examples: { success: { parameters: { limit: 2 } }, invalid: { parameters: { limit: 0 } } },
    handle: ({ db, caller, query }) => listFollowing(db, { ...query, userId: caller.userId }),
  }),
  route({
    operationId: "followUser",
    client: "users.follow",
    method: "PUT",
    path: "/users/me/following/:user_id",
    tag: "Favorites",
    summary: "Follow a producer",
    description: "Follows a producer. If the account follows the producer already, `created_at` stays.",
    permission: "profile:write",
    params: UserId,
    response: FollowResponse,
    present,
    changesContent: () => false,
    examples: {
      success: { parameters: { user_id: 1 } },
      invalid: { parameters: { user_id: "latest" } },
      missing: { parameters: { user_id: 999999 } },
      conflict: { parameters: { user_id: 42 } },
    },
    handle: ({ db, clock, caller, params }) =>
      follow(db, { userId: caller.userId, producerId: params.user_id, now: new Date(clock.nowMs()) }),
  }),
  route({
    operationId: "unfollowUser",
    client: "users.unfollow",
    method: "DELETE",
    path: "/users/me/following/:user_id",
    tag: "Favorites",
    summary: "Unfollow a producer",
    description: "Unfollows a producer. It is no error if the account does not follow the producer.",
    permission: "profile:write",
    params: UserId,
    response: FollowResponse,
    present,
    changesContent: () => false,
    examples: {
      success: { parameters: { user_id: 1 } },
      invalid: { parameters: { user_id: "latest" } },
      // An id beyond the largest possible one.
      missing: { parameters: { user_id: "9007199254740993" } },
    },
    handle: async ({ db, caller, params }) => {
      await unfollow(db, caller.userId, params.user_id);
      return { user_id: params.user_id, created_at: null };
    },
  }),
];

/** A producer, and whether an account follows the producer. */
interface Follow {
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

/**
 * Follows a producer. Throws 404 for a user who is not a producer, and 409 for the account itself and above the maximum
 * number.
 */
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
      throw conflict(`An account follows at most ${maxFollows.toLocaleString("en-US")} producers; unfollow one first.`);
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
