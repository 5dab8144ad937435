import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";

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
  from: moment("Only requests from this time on, ISO 8601. A date alone is its first moment, UTC."),
  to: moment("Only requests before this time, ISO 8601. A date alone is its first moment, UTC."),
  status_class: Type.Optional(
    Type.Enum(["2xx", "3xx", "4xx", "5xx"], { description: "Only requests whose status begins with this digit." }),
  ),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "Only requests with this status." })),
  method: text(20, "Only requests with this method, such as `GET`."),
  operation_id: text(40, `Only requests of this operation; \`${noOperation}\` for paths outside of the API.`),
  key: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Only requests made with this key." }),
  ),
  request_id: Type.Optional(
    Type.String({ format: "uuid", description: "Only the request with this id: the `X-Request-Id` of its response." }),
  ),
  text: text(200, "Only requests with this text in path, query, error details, request id or user agent."),
  after: Type.Optional(
    Type.String({
      pattern: positionPattern.source,
      description: "Only requests after this position: the `next` of the last response.",
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Requests per response." }),
});

export const RequestId = Type.Object({
  request_id: Type.String({ format: "uuid", description: "The `X-Request-Id` of the response." }),
});

const fields = {
  id: Type.String({ format: "uuid", description: "The `X-Request-Id` of the response." }),
  created_at: Type.String({ format: "date-time", description: "When it arrived, ISO 8601, UTC, milliseconds." }),
  method: Type.String(),
  path: Type.String({ description: "As called." }),
  query: Type.String({ description: "As called, without the question mark and without secrets." }),
  operation: orNull(Type.String(), "The operation of the path; null where there is none."),
  status: Type.Integer(),
  duration_ms: Type.Number({ minimum: 0, description: "How long the response took, in milliseconds." }),
  key_id: Type.Integer({ description: "The key of the request." }),
  key_name: orNull(Type.String(), "Null once the key is deleted."),
  error_code: orNull(Type.String(), "The `code` of its error; null without one."),
  refused_by: orNull(
    Type.String(),
    "The reason of the refusal, such as `limit:minute` or `parameter:genre`; null without one.",
  ),
  version: orNull(
    Type.String(),
    "The dated version of the API that answered, such as `2026-11-20`; null where none did.",
  ),
};

export const LoggedRequest = Type.Object(fields, {
  $id: "LoggedRequest",
  description: "A request of the account, as the request log keeps it.",
});

export const LoggedRequestDetail = Type.Object(
  {
    ...fields,
    error_message: orNull(Type.String(), "The `message` of its error."),
    error_details: orNull(Type.String(), "The `details` of its error, without secrets."),
    reason: orNull(Type.String(), "Why it was refused or failed, in words."),
    advice: orNull(Type.String(), "The remedy."),
    headers: Type.Unsafe<Record<string, string>>({
      type: "object",
      additionalProperties: { type: "string" },
      description: "The headers of the request that are kept. Never its key, nor cookies.",
    }),
    user_agent: Type.String({ description: "Empty without one." }),
    body: orNull(
      Type.String(),
      "The body as sent, up to 4,000 bytes, without secrets and what may be the number of a card. Null without one.",
    ),
    client_address: Type.String({ description: "The IP address of the client." }),
    from_explorer: Type.Boolean({ description: "Whether it was sent from the explorer, which has its own limits." }),
    event_ids: Type.Array(Type.String(), { description: "The events that it caused, oldest first." }),
  },
  { $id: "LoggedRequestDetail", description: "A request with everything that the request log keeps." },
);

const RequestPage = Type.Object(
  {
    requests: Type.Array(LoggedRequest),
    next: orNull(
      Type.String(),
      "The position to continue from, as `after` of the next call; null when the whole log was searched.",
    ),
    searched_to: orNull(
      Type.String({ format: "date-time" }),
      "The time of the oldest request that was searched; null when the whole log was.",
    ),
  },
  { $id: "RequestPage", description: "Requests, newest first, and the position after them." },
);

export const RequestsResponse: ResponseSchemas = { status: 200, reference: RequestPage, console: RequestPage };
export const RequestResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ request: LoggedRequestDetail }),
  console: LoggedRequestDetail,
};
