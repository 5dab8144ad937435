import { conflict } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import Type from "typebox";
import { filesOfUpload, findUpload } from "../../resources/uploads/queries.ts";
import { uploadIdPattern } from "../../resources/uploads/upload.ts";
import { ProfileSchema, profileReference } from "../../resources/users/present.ts";
import {
  changeEmbedOrigins,
  changeLinks,
  changePicture,
  findEmbedOrigins,
  findLinks,
  maxLinks,
} from "../../resources/users/profile.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const tag = "Account";
const closed = { additionalProperties: false };
const Links = Type.Object(
  {
    links: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
      maxItems: maxLinks,
      description:
        "The addresses of the links, such as `https://www.instagram.com/name`. The public page shows them in this order.",
    }),
  },
  { $id: "ProfileLinks", ...closed },
);

/** The picture and links on the public page of the account, or of the organisation that the person acts as. */
export const publicFaceRoutes = (publicUrl: string): PortalRoute[] => [
  portalRoute({
    operationId: "setProfilePicture",
    permission: "studio:write",
    method: "PUT",
    path: "/account/picture",
    tag,
    summary: "Use an uploaded picture for the public profile; 409 while the picture is being checked",
    body: Type.Object(
      { upload: Type.String({ pattern: uploadIdPattern, description: "The id of a ready upload of kind `cover`." }) },
      closed,
    ),
    response: ProfileSchema,
    refusals: [404, 409],
    handle: ({ db, clock, account: { userId }, requestId, body }) =>
      transact(db, async (transaction) => {
        const now = new Date(clock.nowMs());
        const { kind, status, rejection } = await findUpload(transaction, userId, body.upload, now);
        if (kind !== "cover") throw conflict(`This upload is of kind ${kind}; a profile picture is one of kind cover.`);
        if (status === "rejected") throw conflict(`This upload was rejected: ${rejection}`);
        const file = (await filesOfUpload(transaction, body.upload)).find(({ name }) => name === "cover");
        if (file === undefined) throw conflict("The picture is still being checked. Try again in a moment.");
        return profileReference(await changePicture(transaction, { userId, requestId, now }, file, publicUrl));
      }),
  }),
  portalRoute({
    operationId: "removeProfilePicture",
    permission: "studio:write",
    method: "DELETE",
    path: "/account/picture",
    tag,
    summary: "Remove the picture of the public profile",
    response: ProfileSchema,
    handle: ({ db, clock, account: { userId }, requestId }) =>
      transact(db, async (transaction) => {
        const update = { userId, requestId, now: new Date(clock.nowMs()) };
        return profileReference(await changePicture(transaction, update, null, publicUrl));
      }),
  }),
  portalRoute({
    operationId: "getProfileLinks",
    permission: "studio:read",
    method: "GET",
    path: "/account/links",
    tag,
    summary: "Get the links of the public page",
    response: Links,
    handle: async ({ db, account }) => ({ links: await findLinks(db, account.userId) }),
  }),
  portalRoute({
    operationId: "changeProfileLinks",
    permission: "studio:write",
    method: "PUT",
    path: "/account/links",
    tag,
    summary: "Replace the links of the public page; the page shows them within half a minute",
    body: Links,
    response: Links,
    handle: async ({ db, account, body }) => ({ links: await changeLinks(db, account.userId, body.links) }),
  }),
];

const EmbedOrigins = Type.Object(
  {
    origins: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
      maxItems: 20,
      description: "The origins of the sites, such as `https://www.example.com`. An empty list allows every site.",
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
    summary: "Get the sites that may show players of the account's beats",
    response: EmbedOrigins,
    handle: async ({ db, account }) => ({ origins: await findEmbedOrigins(db, account.userId) }),
  }),
  portalRoute({
    operationId: "changeEmbedOrigins",
    permission: "studio:write",
    method: "PUT",
    path: "/account/embed-origins",
    tag,
    summary: "Change which sites may show players of the account's beats; takes effect within half a minute",
    body: EmbedOrigins,
    response: EmbedOrigins,
    handle: async ({ db, account, body }) => ({ origins: await changeEmbedOrigins(db, account.userId, body.origins) }),
  }),
];
