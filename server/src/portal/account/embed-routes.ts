import Type from "typebox";
import { changeEmbedOrigins, findEmbedOrigins } from "../../resources/users/embed-origins.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const tag = "Account";
const EmbedOrigins = Type.Object(
  {
    origins: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
      maxItems: 20,
      description: "Such as `https://www.example.com`; empty for every site.",
    }),
  },
  { $id: "EmbedOrigins", additionalProperties: false },
);

/** The sites that may show players of the account's beats. */
export const embedRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "getEmbedOrigins",
    permission: "studio:read",
    method: "GET",
    path: "/account/embed-origins",
    tag,
    summary: "The sites that may show players of the account's beats",
    response: EmbedOrigins,
    handle: async ({ db, account }) => ({ origins: await findEmbedOrigins(db, account.userId) }),
  }),
  portalRoute({
    operationId: "changeEmbedOrigins",
    permission: "studio:write",
    method: "PUT",
    path: "/account/embed-origins",
    tag,
    summary: "Change the sites that may show players of the account's beats; it takes half a minute at most",
    body: EmbedOrigins,
    response: EmbedOrigins,
    handle: async ({ db, account, body }) => ({ origins: await changeEmbedOrigins(db, account.userId, body.origins) }),
  }),
];
