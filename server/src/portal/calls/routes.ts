import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { readMoment } from "@beatmarket/http/input/read-moment.ts";
import { visibleLine } from "@beatmarket/http/input/text-patterns.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { analyse } from "@beatmarket/request-log/analytics/analytics.ts";
import { callHistogram } from "@beatmarket/request-log/analytics/call-histogram.ts";
import { limitUse } from "@beatmarket/request-log/analytics/limit-use.ts";
import { countedPeriodOf, periodOfSpan } from "@beatmarket/request-log/analytics/period.ts";
import type { CallFilter } from "@beatmarket/request-log/call-filter.ts";
import type { CallLog } from "@beatmarket/request-log/call-log.ts";
import { findCall, listCalls } from "@beatmarket/request-log/calls.ts";
import { exportCalls } from "@beatmarket/request-log/export-calls.ts";
import { eventsOfCall } from "@beatmarket/webhooks/deliveries.ts";
import Type, { type Static } from "typebox";
import { type ApiKey, listKeys } from "../../resources/api-keys/queries.ts";
import { changeView, createView, deleteView, listViews, maxSavedViews } from "../../resources/saved-views/queries.ts";
import { type PortalRoute, portalHeaders, portalRoute, type SignedInCall } from "../route.ts";
import { analyticsJson, callDetailJson, callJson, histogramJson, keyJson } from "./present.ts";
import {
  AnalyticsQuery,
  AnalyticsResponse,
  CallDetail,
  CallFilterQuery,
  CallHistogram,
  CallId,
  CallKeys,
  CallList,
  CallsQuery,
  noOperation,
} from "./schema.ts";

const tag = "Calls";
/** The maximum number of keys in the filter of the log: the newest keys of the account. */
const maxKeys = 200;

/** The request log and the figures computed from it. */
export const callRoutes = (log: CallLog): PortalRoute[] => [
  portalRoute({
    operationId: "listCalls",
    permission: "calls:read",
    method: "GET",
    path: "/calls",
    tag,
    summary: "List the account's calls, newest first",
    query: CallsQuery,
    response: CallList,
    handle: async ({ account, query }) => {
      const { calls, next, searchedTo } = await listCalls(log, account.userId, filterOf(query), query);
      return { calls: calls.map(callJson), next, searched_to: searchedTo?.toISOString() ?? null };
    },
  }),
  portalRoute({
    operationId: "listCallKeys",
    permission: "calls:read",
    method: "GET",
    path: "/calls/keys",
    tag,
    summary: "List the account's keys, for the filter of the request log",
    response: CallKeys,
    handle: async (call) => ({ keys: (await keysOf(call)).map(keyJson) }),
  }),
  portalRoute({
    operationId: "getCallHistogram",
    permission: "calls:read",
    method: "GET",
    path: "/calls/histogram",
    tag,
    summary: "Count calls over time by the class of their status",
    query: CallFilterQuery,
    response: CallHistogram,
    handle: async ({ clock, account, query }) =>
      histogramJson(await callHistogram(log, account.userId, filterOf(query), { nowMs: clock.nowMs() })),
  }),
  portalRoute({
    operationId: "getCall",
    permission: "calls:read",
    method: "GET",
    path: "/calls/:call_id",
    tag,
    summary: "Get a call: the request, why it was refused, and the events that it caused",
    params: CallId,
    response: CallDetail,
    handle: async ({ db, account, params }) => {
      const call = await findCall(log, account.userId, params.call_id);
      return callDetailJson(call, await eventsOfCall(db, account.userId, call.requestId));
    },
  }),
  portalRoute({
    operationId: "getAnalytics",
    permission: "calls:read",
    method: "GET",
    path: "/analytics",
    tag,
    summary: "Get statistics of calls over time: results, durations, and use of the limits",
    query: AnalyticsQuery,
    response: AnalyticsResponse,
    handle: async (call) => {
      const { db, clock, account, query } = call;
      const nowMs = clock.nowMs();
      const fromMs = readMoment("from", query.from)?.getTime();
      const toMs = readMoment("to", query.to)?.getTime();
      const period = fromMs === undefined ? periodOfSpan(query.span, nowMs) : countedPeriodOf({ fromMs, toMs }, nowMs);
      const filter = { userId: account.userId, apiKeyId: query.key, period, nowMs };
      const [analytics, uses, keys] = await Promise.all([analyse(db, filter), limitUse(db, filter), keysOf(call)]);
      return analyticsJson(analytics, uses, new Map(keys.map((key) => [key.id, key])));
    },
  }),
];

const keysOf = ({ db, account }: Pick<SignedInCall<unknown, unknown, unknown>, "db" | "account">): Promise<ApiKey[]> =>
  listKeys(db, { ownerId: account.userId }, { limit: maxKeys });

/** The account's calls as CSV. The portal's OpenAPI document does not describe files. */
export const callsFile = (log: CallLog): Route => ({
  operationId: null,
  method: "GET",
  path: "/calls.csv",
  query: CallFilterQuery,
  access: { by: "session", required: true, permission: "calls:read" },
  headers: portalHeaders,
  waits: true,
  handle: ({ account, query, ...call }) => exportCalls(log, call, account?.userId ?? 0, filterOf(query)),
  respond: (response) => response as HttpResponse,
});

function filterOf(query: Static<typeof CallFilterQuery>): CallFilter {
  return {
    statusClass: query.class === undefined ? undefined : Number(query.class[0]),
    status: query.status,
    errorCode: query.code,
    method: query.method,
    operation: query.operation === noOperation ? null : query.operation,
    path: query.path,
    apiKeyId: query.key,
    fromMs: readMoment("from", query.from)?.getTime(),
    toMs: readMoment("to", query.to)?.getTime(),
    minDurationMs: query.min_ms,
    text: query.text,
  };
}

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
  { views: Type.Array(View, { description: `At most ${maxSavedViews} views, ordered by name.` }) },
  closed,
);

/** Saved views of the request log: filters with a name. */
export const viewRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "listViews",
    permission: "calls:read",
    method: "GET",
    path: "/calls/views",
    tag,
    summary: "List the person's saved views of the account's request log",
    response: ViewList,
    handle: async ({ db, account }) => ({ views: await listViews(db, account) }),
  }),
  portalRoute({
    operationId: "createView",
    permission: "calls:read",
    method: "POST",
    path: "/calls/views",
    tag,
    summary: "Save the filters of the request log as a view",
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
    summary: "Rename a saved view, or change its filters",
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
