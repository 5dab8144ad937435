import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import type { Call, CallPage, CallSummary } from "@beatmarket/request-log/calls.ts";
import type { Static } from "typebox";
import Type from "typebox";
import { refusalOf } from "./refusal.ts";

const orNull = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** The value of `operation_id` for paths without an operation. */
export const noOperation = "none";

const moment = (description: string) => Type.Optional(Type.String({ format: "date-or-time", description }));
const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

/** A position consists of milliseconds and the number of an entry. */
export const positionPattern = /^[0-9]{1,14}-[0-9]{1,16}$/;

export const RequestsQuery = Type.Object({
  from: moment("Only requests from this time on, ISO 8601. A date alone is its first moment in UTC."),
  to: moment("Only requests before this time, ISO 8601. A date alone is its first moment in UTC."),
  status_class: Type.Optional(
    Type.Enum(["2xx", "3xx", "4xx", "5xx"], { description: "Only requests whose status has this first digit." }),
  ),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "Only requests with this status." })),
  method: text(20, "Only requests with this method, such as `GET`."),
  operation_id: text(40, `Only requests of this operation; \`${noOperation}\` for paths outside of the API.`),
  key: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Only requests made with this key." }),
  ),
  request_id: Type.Optional(
    Type.String({ format: "uuid", description: "Only the request with this id, the `X-Request-Id` of its response." }),
  ),
  text: text(
    200,
    "Only requests that contain this text in the path, the query, the error details, the request id or the user agent.",
  ),
  after: Type.Optional(
    Type.String({
      pattern: positionPattern.source,
      description:
        "The `next` of the previous response. Returns the requests that follow it in the list, which are older.",
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 50,
    description: "The maximum number of requests in a response.",
  }),
});

export const RequestId = Type.Object({
  request_id: Type.String({ format: "uuid", description: "The `X-Request-Id` of the response." }),
});

const fields = {
  id: Type.String({ format: "uuid", description: "The `X-Request-Id` of the response." }),
  created_at: Type.String({
    format: "date-time",
    description: "When the request arrived: ISO 8601, UTC, milliseconds.",
  }),
  method: Type.String(),
  path: Type.String({ description: "The path of the request." }),
  query: Type.String({
    description: "The query string of the request, without the question mark and without secrets.",
  }),
  operation: orNull(Type.String(), "The operation of the path. Null if there is none."),
  status: Type.Integer(),
  duration_ms: Type.Number({ minimum: 0, description: "The duration until the end of the response, in milliseconds." }),
  key_id: Type.Integer({ description: "The key of the request." }),
  key_name: orNull(Type.String(), "The name of the key. Null once the key is deleted."),
  error_code: orNull(Type.String(), "The `code` of the error. Null if there is none."),
  refused_by: orNull(
    Type.String(),
    "The reason of the refusal, such as `limit:minute` or `parameter:genre`. Null if there is none.",
  ),
  version: orNull(
    Type.String(),
    "The dated version of the API in which the response was written, such as `2026-11-20`. Null if it has no version.",
  ),
};

const LoggedRequest = Type.Object(fields, {
  $id: "LoggedRequest",
  description: "A request of the account in the request log.",
});

const LoggedRequestDetail = Type.Object(
  {
    ...fields,
    error_message: orNull(Type.String(), "The `message` of the error."),
    error_details: orNull(Type.String(), "The `details` of the error, without secrets."),
    reason: orNull(Type.String(), "Why the request was refused or failed, in words."),
    advice: orNull(Type.String(), "What to do."),
    headers: Type.Unsafe<Record<string, string>>({
      type: "object",
      additionalProperties: { type: "string" },
      description: "The stored headers of the request. They never include the key or cookies.",
    }),
    user_agent: Type.String({ description: "The header User-Agent. Empty if there is none." }),
    body: orNull(
      Type.String(),
      "The body of the request: up to 4,000 bytes, without secrets and without numbers that could be card numbers. Null if there is none.",
    ),
    client_address: Type.String({ description: "The IP address of the client." }),
    from_explorer: Type.Boolean({
      description: "Whether the request was sent from the explorer, which has its own limits.",
    }),
    event_ids: Type.Array(Type.String(), { description: "The events that the request caused, the oldest first." }),
  },
  { $id: "LoggedRequestDetail", description: "A request with all that the request log stores." },
);

const RequestPage = Type.Object(
  {
    requests: Type.Array(LoggedRequest),
    next: orNull(
      Type.String(),
      "The position to continue from: the `after` of the next request. Null when the whole log was searched.",
    ),
    searched_to: orNull(
      Type.String({ format: "date-time" }),
      "The time of the oldest request that was searched. Null when the whole log was searched.",
    ),
  },
  { $id: "RequestPage", description: "A page of requests, the newest first." },
);

export const RequestsResponse: ResponseSchemas = { status: 200, reference: RequestPage, console: RequestPage };
export const RequestResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ request: LoggedRequestDetail }),
  console: LoggedRequestDetail,
};

/** A call with the ids of the events that it caused. */
interface CallWithEvents {
  call: Call;
  eventIds: string[];
}

const requestJson = (call: CallSummary): Static<typeof LoggedRequest> => ({
  id: call.requestId,
  created_at: call.time.toISOString(),
  method: call.method,
  path: call.path,
  query: call.query,
  operation: call.operation,
  status: call.status,
  duration_ms: call.durationMs,
  // The log of an account contains only calls with a key.
  key_id: call.apiKeyId ?? 0,
  key_name: call.keyName,
  error_code: call.errorCode,
  refused_by: call.refusedBy,
  version: call.version,
});

const detailJson = ({ call, eventIds }: CallWithEvents): Static<typeof LoggedRequestDetail> => {
  const refusal = refusalOf(call);
  return {
    ...requestJson(call),
    error_message: call.errorMessage,
    error_details: call.errorDetails,
    reason: refusal?.reason ?? null,
    advice: refusal?.advice ?? null,
    headers: call.headers,
    user_agent: call.userAgent,
    body: call.body,
    client_address: call.clientAddress,
    from_explorer: call.fromExplorer,
    event_ids: eventIds,
  };
};

export const requestsReference = ({ calls, next, searchedTo }: CallPage) => ({
  requests: calls.map(requestJson),
  next,
  searched_to: searchedTo?.toISOString() ?? null,
});
export const requestsConsole = (page: CallPage) => ({ data: requestsReference(page) });

export const requestReference = (call: CallWithEvents) => ({ request: detailJson(call) });
export const requestConsole = (call: CallWithEvents) => ({ data: detailJson(call) });
