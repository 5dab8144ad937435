import Type from "typebox";
import { changeView, createView, deleteView, listViews } from "../../resources/saved-views/queries.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { View, ViewChange, ViewCreation, ViewId, ViewList } from "./view-schema.ts";

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
