import Type from "typebox";
import { findClaim, proveClaim } from "../../resources/claims/prove-claim.ts";
import type { Accounts } from "../auth/accounts.ts";
import { type PortalRoute, publicPortalRoute } from "../route.ts";

const tag = "Account";
const body = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "The token of the mailed link: its part after `#`.",
  }),
});

/** The routes for the mailed link of a claim. They need no session, since the link proves the mailbox. */
export const claimRoutes = (accounts: Accounts): PortalRoute[] => [
  publicPortalRoute({
    operationId: "findClaim",
    method: "POST",
    path: "/claims/find",
    tag,
    summary: "Get the producer that a mailed link offers",
    body,
    response: Type.Object(
      {
        producer: Type.Object(
          {
            id: Type.Integer(),
            name: Type.String(),
            beats: Type.Integer({ description: "The number of the producer's beats on sale." }),
          },
          { additionalProperties: false },
        ),
        email: Type.String({ description: "The mailbox whose account gets the beats." }),
      },
      { $id: "OfferedClaim", additionalProperties: false },
    ),
    refusals: [429],
    handle: async ({ db, clock, body: { token }, ...client }) => {
      await accounts.countLink(client);
      return findClaim(db, token, new Date(clock.nowMs()));
    },
  }),
  publicPortalRoute({
    operationId: "proveClaim",
    method: "POST",
    path: "/claims/prove",
    tag,
    summary: "Take over a producer by the mailed link",
    body,
    response: Type.Object(
      {
        user_id: Type.Integer({ description: "The account that has the beats now, or gets them within a minute." }),
        is_new: Type.Boolean({
          description: "Whether the account was created from the producer. It then has no password yet.",
        }),
      },
      { $id: "ProvenClaim", additionalProperties: false },
    ),
    refusals: [429],
    handle: async ({ db, clock, body: { token }, ...client }) => {
      await accounts.countLink(client);
      const { author } = client;
      const { userId, isNew } = await proveClaim(db, token, { author, now: new Date(clock.nowMs()) });
      return { user_id: userId, is_new: isNew };
    },
  }),
];
