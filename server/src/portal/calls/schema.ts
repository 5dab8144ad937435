import { timeSpans } from "@beatmarket/request-log/analytics/period.ts";
import { deliveryStates } from "@beatmarket/webhooks/deliveries.ts";
import Type from "typebox";

const closed = { additionalProperties: false };
const time = Type.String({ format: "date-time", description: "A time in ISO 8601, UTC." });
const orNull = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));
const moment = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }));

const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;
const errorCodes = [
  "invalid_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "rate_limit_exceeded",
  "server_error",
] as const;

const KeyId = Type.Integer({ description: "Only calls made with this key." });

export const CallId = Type.Object({ call_id: Type.Integer({ description: "Identifier of the log entry." }) });

/** The value of the operation filter for calls to unknown paths. */
export const noOperation = "none";

const filters = {
  class: Type.Optional(Type.Enum([...statusClasses], { description: "Only calls whose status is in this class." })),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "Only calls with this status." })),
  code: Type.Optional(
    Type.Enum([...errorCodes], { description: "Only calls that were refused with this error code." }),
  ),
  method: text(20, "Only calls with this method."),
  operation: text(40, `Only calls of this operation; "${noOperation}" for unknown paths.`),
  path: text(500, "Only calls whose requested path contains this text."),
  key: Type.Optional(KeyId),
  from: moment("Only calls from this time on, ISO 8601."),
  to: moment("Only calls before this time, ISO 8601."),
  min_ms: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3_600_000,
      description: "Only calls that took this number of milliseconds or longer.",
    }),
  ),
  text: text(
    200,
    "Only calls that contain this text in the path, the query, the error details, the request id or the user agent.",
  ),
};

export const CallFilterQuery = Type.Object(filters);

export const CallsQuery = Type.Object({
  ...filters,
  before: text(40, "The `next` of the previous page."),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "The number of calls on a page." }),
});

const callFields = {
  id: Type.Integer(),
  time,
  request_id: Type.String(),
  key: Type.Object(
    {
      id: Type.Integer(),
      name: orNull(Type.String(), "The name of the key. Null once the key is deleted."),
      ends_with: orNull(Type.String(), "The last characters of the key."),
    },
    closed,
  ),
  method: Type.String(),
  path: Type.String({ description: "The path of the request." }),
  query: Type.String({ description: "The query string of the request, without the question mark." }),
  operation: orNull(Type.String(), "The operation of the call. Null if the path is unknown."),
  status: Type.Integer(),
  duration_ms: Type.Number(),
  error_code: orNull(Type.String(), "The code of the error. Null if the call succeeded."),
  refused_by: orNull(Type.String(), "The window, permission or parameter that refused the call."),
  version: orNull(
    Type.String(),
    "The dated version of the API in which the response was written. Null if there was none.",
  ),
};

export const CallSchema = Type.Object(callFields, { $id: "LoggedCall", ...closed });

export const CallList = Type.Object(
  {
    calls: Type.Array(CallSchema),
    next: orNull(Type.String(), "The `before` of the next page. Null when the search has reached the end."),
    searched_to: orNull(
      time,
      "The time of the oldest call that was searched. Null when the search has reached the end.",
    ),
  },
  {
    ...closed,
    description:
      "The newest call comes first. If there are fewer than `limit` and `next` is not null, the search continues there.",
  },
);

const byClass = {
  successes: Type.Integer({ description: "The number of responses with 2xx." }),
  redirects: Type.Integer({ description: "The number of responses with 3xx: 304, not modified." }),
  refusals: Type.Integer({ description: "The number of responses with 4xx." }),
  failures: Type.Integer({ description: "The number of responses with 5xx." }),
};

export const CallHistogram = Type.Object(
  {
    from: time,
    to: time,
    bar_seconds: Type.Integer(),
    bars: Type.Array(Type.Object({ start: time, ...byClass }, closed), {
      description:
        "At most 64 bars, the oldest first. Each begins at a multiple of `bar_seconds` since the Unix epoch.",
    }),
    counted_from: orNull(
      time,
      "The time from which calls are counted; the search is bounded. Null if all calls are counted.",
    ),
  },
  {
    $id: "CallHistogram",
    ...closed,
    description: "Calls over time by the class of their status. Refused calls without an entry in the log count, too.",
  },
);

export const CallDetail = Type.Object(
  {
    ...callFields,
    error: orNull(
      Type.Object({ code: Type.String(), message: Type.String(), details: Type.String() }, closed),
      "The error of the response.",
    ),
    refusal: orNull(
      Type.Object({ reason: Type.String(), advice: Type.String() }, closed),
      "Why the call was refused, and what to do.",
    ),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, closed), {
      description: "The stored headers of the request. The key is masked.",
    }),
    body: orNull(
      Type.String(),
      "The body of the request: up to 4,000 bytes, without secrets and without numbers that could be card numbers.",
    ),
    client_address: Type.String(),
    from_explorer: Type.Boolean({
      description: "Whether the call was made in the explorer, which has limits of its own.",
    }),
    events: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          type: Type.String(),
          created_at: time,
          deliveries: Type.Array(
            Type.Object(
              {
                id: Type.Integer(),
                endpoint_id: Type.Integer(),
                url: Type.String(),
                state: Type.Enum([...deliveryStates]),
                attempts: Type.Integer(),
              },
              closed,
            ),
          ),
        },
        { $id: "CausedEvent", ...closed },
      ),
      { description: "The events that the call caused, with their deliveries to the account's endpoints." },
    ),
  },
  { $id: "LoggedCallDetail", ...closed },
);

export const CallKeys = Type.Object(
  {
    keys: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), ends_with: Type.String() }, closed), {
      description: "The newest key comes first. Revoked and expired keys are included.",
    }),
  },
  closed,
);

export const AnalyticsQuery = Type.Object({
  span: Type.Enum([...timeSpans], {
    default: "day",
    description: "How far to look back from now. Used only without `from`.",
  }),
  from: moment("Only calls from this time on, ISO 8601."),
  to: moment("Only calls before this time, ISO 8601. Default: now."),
  key: Type.Optional(KeyId),
});

const milliseconds = (share: string) => orNull(Type.Number(), `${share} of the calls took no longer, in milliseconds.`);
const outcomes = {
  calls: Type.Integer(),
  ...byClass,
  p50_ms: milliseconds("Half"),
  p95_ms: milliseconds("95 %"),
  p99_ms: milliseconds("99 %"),
};
const windows = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Object({ minute: schema, hour: schema, day: schema }, { ...closed, description });

const Outcomes = Type.Object(outcomes, { $id: "Outcomes", ...closed });
const Bar = Type.Object({ start: time, ...outcomes }, { $id: "AnalyticsBar", ...closed });

export const AnalyticsResponse = Type.Object(
  {
    from: time,
    to: time,
    bar_seconds: Type.Integer(),
    percentile_error: Type.Number({ description: "The largest error of a percentile, as a share of its value." }),
    total: Outcomes,
    bars: Type.Array(Bar, { description: "The oldest bar comes first. The last one may not be complete." }),
    before: orNull(
      Type.Object(
        {
          bars: Type.Array(Bar, { description: "The same number of bars, for the period right before." }),
          now: Outcomes,
          earlier: Outcomes,
        },
        {
          ...closed,
          description:
            "The period before, of the same length. `now` and `earlier` omit a bar that is not complete, so they can be compared.",
        },
      ),
      "Null if the counts of the period before are deleted or stored in less detail.",
    ),
    operations: Type.Array(Type.Object({ operation: Type.String(), ...outcomes }, closed), {
      description: `The operation with the most calls comes first. "${noOperation}" stands for paths outside of the API.`,
    }),
    errors: Type.Array(
      Type.Object(
        { status: Type.Integer(), refused_by: Type.String(), operation: Type.String(), calls: Type.Integer() },
        closed,
      ),
      { description: "At most 20 errors, the most frequent first." },
    ),
    limits: Type.Array(
      Type.Object(
        {
          key: Type.Object({ id: Type.Integer(), name: Type.String(), ends_with: Type.String() }, closed),
          plan: Type.String(),
          admitted: Type.Integer(),
          allowed: windows(orNull(Type.Integer(), "Null if there is no limit."), "The limit of the key's plan."),
          busiest: windows(
            orNull(Type.Integer(), "Null if the service stores no counts of that time."),
            "The largest number of calls in one window.",
          ),
          use: windows(
            Type.Array(Type.Integer()),
            "The admitted calls of the newest minutes, hours and days, the oldest first.",
          ),
          refused: windows(Type.Integer(), "The number of calls that were refused because this window was full."),
        },
        closed,
      ),
      { description: "The keys that made calls, the one with the most calls first." },
    ),
  },
  { $id: "Analytics", ...closed },
);
