import { visibleLine } from "@beatmarket/http/input/text-patterns.ts";
import Type from "typebox";
import { changeView, createView, deleteView, listViews, maxSavedViews } from "../../resources/saved-views/queries.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const name = Type.String({ minLength: 1, maxLength: 60, pattern: visibleLine });
const query = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: visibleLine,
  description: "The query string of the page's address, without the question mark.",
});

const ViewId = Type.Object({ view_id: Type.Integer({ description: "Identifier of the saved view." }) });
const ViewCreation = Type.Object({ name, query });
const ViewChange = Type.Object({ name: Type.Optional(name), query: Type.Optional(query) });
const View = Type.Object(
  { id: Type.Integer(), name: Type.String(), query: Type.String() },
  { $id: "SavedView", ...closed },
);
const ViewList = Type.Object(
  { views: Type.Array(View, { description: `By name, at most ${maxSavedViews}.` }) },
  closed,
);

const tag = "Calls";

/** Named filters of the request log. */
export const viewRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "listViews",
    permission: "calls:read",
    method: "GET",
    path: "/calls/views",
    tag,
    summary: "The person's saved views of the account's request log",
    response: ViewList,
    handle: async ({ db, account }) => ({ views: await listViews(db, account) }),
  }),
  portalRoute({
    operationId: "createView",
    permission: "calls:read",
    method: "POST",
    path: "/calls/views",
    tag,
    summary: "Save the filters of the request log under a name",
    body: ViewCreation,
    status: 201,
    response: View,
    refusals: [409],
    handle: ({ db, clock, account, body }) => createView(db, account, body, new Date(clock.nowMs())),
  }),
  portalRoute({
    operationId: "changeView",
    permission: "calls:read",
    method: "PATCH",
    path: "/calls/views/:view_id",
    tag,
    summary: "Rename a saved view, or give it other filters",
    params: ViewId,
    body: ViewChange,
    response: View,
    refusals: [409],
    handle: ({ db, account, params, body }) => changeView(db, account, params.view_id, body),
  }),
  portalRoute({
    operationId: "deleteView",
    permission: "calls:read",
    method: "DELETE",
    path: "/calls/views/:view_id",
    tag,
    summary: "Delete a saved view",
    params: ViewId,
    status: 204,
    response: Type.Void(),
    handle: ({ db, account, params }) => deleteView(db, account, params.view_id),
  }),
];
