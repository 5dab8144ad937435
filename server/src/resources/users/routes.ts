import { route } from "@beatmarket/http/pipeline/api-route.ts";
import {
  ProducersQuery,
  ProducersResponse,
  ProfileFields,
  producersConsole,
  producersReference,
  UserId,
  UserResponse,
  userConsole,
  userReference,
} from "./present.ts";
import { updateProfile } from "./profile.ts";
import { findProfile, listProducers } from "./queries.ts";

export const userRoutes = [
  route({
    operationId: "getUser",
    client: "users.get",
    method: "GET",
    path: "/users/:user_id",
    tag: "Users",
    summary: "Get a user's profile",
    description: "Returns the public profile of a user, producer or not. The profile has no e-mail address.",
    permission: "users:read",
    params: UserId,
    response: UserResponse,
    present: { reference: userReference, console: userConsole },
    cached: true,
    examples: {
      success: { parameters: { user_id: 1 } },
      invalid: { parameters: { user_id: "me" } },
      missing: { parameters: { user_id: 999999 } },
    },
    handle: ({ db, params }) => findProfile(db, params.user_id),
  }),
  route({
    operationId: "updateProfile",
    client: "users.update_profile",
    method: "PUT",
    path: "/users/profile",
    tag: "Users",
    summary: "Change your profile",
    description:
      "Changes the public profile of the key's account and returns it. An omitted field stays as it is; null clears it.",
    permission: "profile:write",
    body: ProfileFields,
    response: UserResponse,
    present: { reference: userReference, console: userConsole },
    examples: {
      success: {
        body: { bio: "I write hooks.\nAnd buy beats for them.", website: "https://example.com", location: null },
      },
      invalid: { body: { website: "example.com" } },
    },
    handle: ({ db, clock, caller, requestId, body }) =>
      updateProfile(db, { userId: caller.userId, requestId, now: new Date(clock.nowMs()) }, body),
  }),
  route({
    operationId: "listProducers",
    client: "producers.list",
    method: "GET",
    path: "/producers",
    tag: "Users",
    summary: "List producers",
    description: "Returns all producers with their genres and plays, one page at a time.",
    permission: "producers:read",
    query: ProducersQuery,
    response: ProducersResponse,
    present: { reference: producersReference, console: producersConsole },
    cached: true,
    examples: { success: { parameters: { limit: 2 } }, invalid: { parameters: { sort: "loudest" } } },
    handle: ({ db, query }) => listProducers(db, query),
  }),
];
