import { readMoment } from "@beatmarket/http/input/read-moment.ts";
import type { RateLimitStore } from "@beatmarket/http/rate-limit/store.ts";
import { countAllErrors, errorSpans } from "@beatmarket/request-log/analytics/all-errors.ts";
import type { CallsOf } from "@beatmarket/request-log/call-filter.ts";
import type { CallLog } from "@beatmarket/request-log/call-log.ts";
import { findCall, listCalls } from "@beatmarket/request-log/calls.ts";
import Type from "typebox";
import { refusalOf } from "../../resources/request-log/refusal.ts";
import { callDetailJson, callJson } from "../calls/present.ts";
import { CallDetail, CallId, CallSchema, noOperation } from "../calls/schema.ts";
import { operatorRoute, type PortalRoute } from "../route.ts";
import { AccountReference, accountReferences, closed, orNull, text, time } from "./shapes.ts";

const tag = "Operate";
/** The default span of a list. It limits the number of rows that one page scans and sorts. */
const usualSpanMs = 86_400_000;

const owner = orNull(AccountReference, "The account of the call. Null if the key is unknown.");

const AdminCalls = Type.Object(
  {
    calls: Type.Array(Type.Object({ ...CallSchema.properties, account: owner }, { $id: "AdminCall", ...closed })),
    next: orNull(Type.String(), "The `before` of the next page. Null when the search has reached the end."),
    searched_to: orNull(
      time,
      "The time of the oldest call that was searched. Null when the search has reached the end.",
    ),
  },
  {
    ...closed,
    description:
      "The newest call comes first. If there are fewer than 50 and `next` is not null, the search continues there.",
  },
);

const AdminErrors = Type.Object(
  {
    errors: Type.Array(
      Type.Object(
        {
          status: Type.Integer(),
          refused_by: Type.String({ description: "The window, permission or parameter that refused the call." }),
          reason: Type.String({ description: "The reason in words." }),
          operation: Type.String({ description: `The operation. "${noOperation}" stands for unknown paths.` }),
          calls: Type.Integer(),
          accounts: Type.Integer(),
          first_at: time,
          last_at: time,
        },
        closed,
      ),
      {
        description:
          "At most 100 errors, the most frequent first. Times of the last hour are to the minute, earlier ones to the hour.",
      },
    ),
    limits_problem: orNull(
      Type.String(),
      "Why this instance counts the limits alone, instead of sharing them with other instances. Null if nothing is wrong.",
    ),
  },
  { $id: "AdminErrors", ...closed },
);

interface AdminCallParts {
  rateLimits: RateLimitStore;
  callLog: CallLog;
}

/** The request log of all accounts, and their errors by kind. */
export const adminCallRoutes = ({ rateLimits, callLog }: AdminCallParts): PortalRoute[] => [
  operatorRoute({
    operationId: "listAdminCalls",
    method: "GET",
    path: "/admin/calls",
    tag,
    summary: "List the calls of all accounts, newest first",
    query: Type.Object({
      account: Type.Optional(
        Type.Integer({ minimum: 0, description: "Only calls of this account. 0 selects calls with unknown keys." }),
      ),
      class: Type.Optional(
        Type.Enum(["2xx", "3xx", "4xx", "5xx"], { description: "Only calls whose status is in this class." }),
      ),
      status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "Only calls with this status." })),
      operation: text(40, `Only calls of this operation; "${noOperation}" for unknown paths.`),
      from: text(
        40,
        "Only calls from this time on, ISO 8601. Default: the last 24 hours, or all of the log if a request id is searched.",
      ),
      to: text(40, "Only calls before this time, ISO 8601."),
      text: text(
        200,
        "Only calls that contain this text in the path, the query, the error details, the request id or the user agent.",
      ),
      before: text(40, "The `next` of the previous page."),
    }),
    response: AdminCalls,
    handle: async ({ db, clock, query }) => {
      const filter = {
        statusClass: query.class === undefined ? undefined : Number(query.class[0]),
        status: query.status,
        operation: query.operation === noOperation ? null : query.operation,
        fromMs: readMoment("from", query.from)?.getTime() ?? usualFrom(query.text, clock.nowMs()),
        toMs: readMoment("to", query.to)?.getTime(),
        text: query.text,
      };
      const page = await listCalls(callLog, callsOf(query.account), filter, { limit: 50, before: query.before });
      const accountOf = await accountReferences(
        db,
        page.calls.flatMap(({ userId }) => userId ?? []),
      );
      return {
        calls: page.calls.map((call) => ({
          ...callJson(call),
          account: call.userId === null ? null : accountOf(call.userId),
        })),
        next: page.next,
        searched_to: page.searchedTo?.toISOString() ?? null,
      };
    },
  }),
  operatorRoute({
    operationId: "getAdminCall",
    method: "GET",
    path: "/admin/calls/:call_id",
    tag,
    summary: "Get a call of any account: the request, and why it was refused",
    params: CallId,
    response: CallDetail,
    handle: async ({ params }) => callDetailJson(await findCall(callLog, "everybody", params.call_id), []),
  }),
  operatorRoute({
    operationId: "listAdminErrors",
    method: "GET",
    path: "/admin/errors",
    tag,
    summary: "List the errors of all accounts by kind and endpoint, most frequent first",
    query: Type.Object({
      span: Type.Enum([...errorSpans], { default: "day", description: "How far to look back from now." }),
    }),
    response: AdminErrors,
    handle: async ({ db, clock, query }) => ({
      errors: (await countAllErrors(db, query.span, clock.nowMs())).map(
        ({ refusedBy, operation, firstAt, lastAt, ...error }) => ({
          ...error,
          refused_by: refusedBy,
          reason: refusalOf({ status: error.status, refusedBy })?.reason ?? "",
          operation: operation === "" ? noOperation : operation,
          first_at: firstAt.toISOString(),
          last_at: lastAt.toISOString(),
        }),
      ),
      limits_problem: rateLimits.problem,
    }),
  }),
];

const callsOf = (account: number | undefined): CallsOf => (account === undefined ? "everybody" : account || null);

/** The default beginning of a list; undefined for the search of a request id, which contains the request's time. */
const usualFrom = (searchText: string | undefined, nowMs: number): number | undefined =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(searchText ?? "") ? undefined : nowMs - usualSpanMs;
