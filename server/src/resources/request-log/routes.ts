import { invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { readInstant } from "@beatmarket/http/input/times.ts";
import { route } from "@beatmarket/http/pipeline/api-route.ts";
import type { CallFilter } from "@beatmarket/request-log/call-filter.ts";
import type { CallLog } from "@beatmarket/request-log/call-log.ts";
import { findCall, listCalls } from "@beatmarket/request-log/calls.ts";
import { eventsOfCall } from "@beatmarket/webhooks/deliveries.ts";
import type { Static } from "typebox";
import {
  noOperation,
  positionPattern,
  RequestId,
  RequestResponse,
  RequestsQuery,
  RequestsResponse,
  requestConsole,
  requestReference,
  requestsConsole,
  requestsReference,
} from "./present.ts";

/** The operations on the account's request log (docs/api/requests.md). The portal shows the same data. */
export const requestRoutes = (log: CallLog) => [
  route({
    operationId: "listRequests",
    client: "requests.list",
    method: "GET",
    path: "/requests",
    tag: "Requests",
    summary: "List your requests",
    description:
      "Returns the requests of the last 30 days with keys of the account, newest first. A request is in the log a moment after its response. A response searches a bounded part of the log, so it can have fewer requests than `limit` and still a `next`: pass it as `after` of the next request.",
    permission: "requests:read",
    query: RequestsQuery,
    response: RequestsResponse,
    present: { reference: requestsReference, console: requestsConsole },
    examples: {
      success: { parameters: { status_class: "4xx", to: "2026-11-20", limit: 1 } },
      invalid: { parameters: { from: "yesterday" } },
    },
    handle: ({ caller, query }) =>
      listCalls(log, caller.userId, filterOf(query), {
        limit: query.limit,
        // The list is newest first, so what follows a position in the list is older.
        before: readPosition(query.after),
      }),
  }),
  route({
    operationId: "getRequest",
    client: "requests.get",
    method: "GET",
    path: "/requests/:request_id",
    tag: "Requests",
    summary: "Get one of your requests",
    description:
      "Returns a request of the last 30 days by the `X-Request-Id` of its response: what was sent, without secrets, why it was refused, and the events that it caused.",
    permission: "requests:read",
    params: RequestId,
    response: RequestResponse,
    present: { reference: requestReference, console: requestConsole },
    examples: {
      success: { parameters: { request_id: "01a1f3ad-8e00-7000-8000-000000000001" } },
      invalid: { parameters: { request_id: "1" } },
      missing: { parameters: { request_id: "01a1f3ad-8e00-7000-8000-00000000ffff" } },
    },
    handle: async ({ db, caller: { userId }, params: { request_id: idText } }) => {
      const requestId = readId(idText);
      const { calls } = await listCalls(log, userId, { requestId }, { limit: 1 });
      const [logged] = calls;
      if (logged === undefined)
        throw notFound(
          `Your log has no request ${requestId}. Requests are kept for 30 days, and written a moment after the response.`,
        );
      const [call, events] = await Promise.all([
        findCall(log, userId, logged.id),
        eventsOfCall(db, userId, logged.requestId),
      ]);
      return { call, eventIds: events.map(({ id }) => id) };
    },
  }),
];

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function readId(text: string): string {
  if (uuid.test(text)) return text;
  throw invalidRequest(
    `The request_id parameter must be the X-Request-Id of a response, a UUID. Given: ${JSON.stringify(quoted(text))}.`,
    "request_id",
  );
}

function readPosition(text: string | undefined): string | undefined {
  if (text === undefined || positionPattern.test(text)) return text;
  throw invalidRequest(
    "`after` must be the `next` of an earlier response. Leave it out to start with the newest request.",
    "after",
  );
}

/** Throws 400 if `from` or `to` is not a time, or if `from` is not before `to`. */
function filterOf(query: Static<typeof RequestsQuery>): CallFilter {
  const fromMs = query.from === undefined ? undefined : readInstant("from", query.from).getTime();
  const toMs = query.to === undefined ? undefined : readInstant("to", query.to).getTime();
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs)
    throw invalidRequest(
      `The from parameter, ${query.from}, is not before to, ${query.to}; exchange them, or leave one out.`,
      "from",
    );
  return {
    fromMs,
    toMs,
    statusClass: query.status_class === undefined ? undefined : Number(query.status_class[0]),
    status: query.status,
    method: query.method,
    operation: query.operation_id === noOperation ? null : query.operation_id,
    apiKeyId: query.key,
    requestId: query.request_id === undefined ? undefined : readId(query.request_id),
    text: query.text,
  };
}
