import { timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import {
  afterParameter,
  consoleMeta,
  pageParameters,
  ReferencePagination,
  referencePagination,
} from "@beatmarket/http/pagination.ts";
import { type PresenterContext, type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { profileReference } from "../users/present.ts";
import { ProfileSchema, UserId } from "../users/schema.ts";
import type { Profile } from "../users/user.ts";
import { type Follow, follow, listFollowing, unfollow } from "./follows.ts";

const FollowingQuery = Type.Object({ ...pageParameters(20, 100), ...afterParameter });

const FollowingResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ users: Type.Array(ProfileSchema), pagination: ReferencePagination }),
  console: Type.Array(ProfileSchema),
  meta: true,
};

const FollowSchema = Type.Object(
  {
    user_id: Type.Integer({ description: "The producer." }),
    created_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "ISO 8601, UTC, whole seconds. Null for a producer whom the account does not follow.",
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
    description: "The profiles of the producers whom the account follows, the newest first, one page at a time.",
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
    description: "Follows a producer. A producer whom the account follows already keeps the time.",
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
    description: "Unfollows a producer. A producer whom the account does not follow is no error.",
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
