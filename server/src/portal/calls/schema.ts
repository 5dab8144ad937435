import { timeSpans } from "@beatmarket/request-log/analytics/period.ts";
import { deliveryStates } from "@beatmarket/webhooks/deliveries.ts";
import Type from "typebox";

const closed = { additionalProperties: false };
const time = Type.String({ format: "date-time", description: "ISO 8601, UTC." });
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
  class: Type.Optional(Type.Enum([...statusClasses], { description: "Only calls answered so." })),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "Only calls with this status." })),
  code: Type.Optional(Type.Enum([...errorCodes], { description: "Only calls refused with this code." })),
  method: text(20, "Only calls with this method."),
  operation: text(40, `Only calls of this operation; "${noOperation}" for unknown paths.`),
  path: text(500, "Only calls whose path, as it was called, contains this."),
  key: Type.Optional(KeyId),
  from: moment("Calls from then on, ISO 8601."),
  to: moment("Calls before then, ISO 8601."),
  min_ms: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3_600_000, description: "Only calls that took so many milliseconds or more." }),
  ),
  text: text(200, "Found in path, query, error details, request id or user agent."),
};

export const CallFilterQuery = Type.Object(filters);

export const CallsQuery = Type.Object({
  ...filters,
  before: text(40, "The next page: `next` of the response before."),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Calls of a page." }),
});

const callFields = {
  id: Type.Integer(),
  time,
  request_id: Type.String(),
  key: Type.Object(
    {
      id: Type.Integer(),
      name: orNull(Type.String(), "Null once the key is forgotten."),
      ends_with: orNull(Type.String(), "The last characters of the key."),
    },
    closed,
  ),
  method: Type.String(),
  path: Type.String({ description: "As called." }),
  query: Type.String({ description: "As called, without the question mark." }),
  operation: orNull(Type.String(), "Null where the path is unknown."),
  status: Type.Integer(),
  duration_ms: Type.Number(),
  error_code: orNull(Type.String(), "Null unless it was refused or failed."),
  refused_by: orNull(Type.String(), "The window, permission or parameter that refused it."),
  version: orNull(Type.String(), "The dated version of the API that answered; null where none did."),
};

export const CallSchema = Type.Object(callFields, { $id: "LoggedCall", ...closed });

export const CallList = Type.Object(
  {
    calls: Type.Array(CallSchema),
    next: orNull(Type.String(), "What `before` takes for the next page; null when all was searched."),
    searched_to: orNull(time, "The oldest call looked at; null when all was searched."),
  },
  { ...closed, description: "Newest first. Fewer than `limit` with a `next`: the search continues there." },
);

const byClass = {
  successes: Type.Integer({ description: "2xx." }),
  redirects: Type.Integer({ description: "3xx: 304, not modified." }),
  refusals: Type.Integer({ description: "4xx." }),
  failures: Type.Integer({ description: "5xx." }),
};

export const CallHistogram = Type.Object(
  {
    from: time,
    to: time,
    bar_seconds: Type.Integer(),
    bars: Type.Array(Type.Object({ start: time, ...byClass }, closed), {
      description: "Oldest first, at most 64, on the UTC clock.",
    }),
    counted_from: orNull(time, "Older calls are not counted, since the search is bounded; null when all are."),
  },
  {
    $id: "CallHistogram",
    ...closed,
    description: "Calls over time by how they ended, refused calls without an entry too.",
  },
);

export const CallDetail = Type.Object(
  {
    ...callFields,
    error: orNull(
      Type.Object({ code: Type.String(), message: Type.String(), details: Type.String() }, closed),
      "The error as it was answered.",
    ),
    refusal: orNull(
      Type.Object({ reason: Type.String(), advice: Type.String() }, closed),
      "Why it was refused, and what to do.",
    ),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, closed), {
      description: "What is kept of the request's headers, the key masked.",
    }),
    body: orNull(Type.String(), "As sent, up to 4,000 bytes, without secrets and what may be the number of a card."),
    client_address: Type.String(),
    from_explorer: Type.Boolean({ description: "Made in the explorer, which has limits of its own." }),
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
      { description: "What the call made happen, and its deliveries to the account's endpoints." },
    ),
  },
  { $id: "LoggedCallDetail", ...closed },
);

export const CallKeys = Type.Object(
  {
    keys: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), ends_with: Type.String() }, closed), {
      description: "Newest first, revoked and expired ones too.",
    }),
  },
  closed,
);

export const AnalyticsQuery = Type.Object({
  span: Type.Enum([...timeSpans], { default: "day", description: "How far to look back from now, without `from`." }),
  from: moment("Calls from then on, ISO 8601."),
  to: moment("Calls before then, ISO 8601; without it up to now."),
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
    percentile_error: Type.Number({ description: "How far a percentile may be from the true one, as a share of it." }),
    total: Outcomes,
    bars: Type.Array(Bar, { description: "Oldest first; the last may still be running." }),
    before: orNull(
      Type.Object(
        {
          bars: Type.Array(Bar, { description: "As many, of the time right before." }),
          now: Outcomes,
          earlier: Outcomes,
        },
        {
          ...closed,
          description:
            "The time before, of the same length. `now` and `earlier` leave out a bar that still runs, so they compare.",
        },
      ),
      "Null where the counts of the time before are deleted or kept in less detail.",
    ),
    operations: Type.Array(Type.Object({ operation: Type.String(), ...outcomes }, closed), {
      description: `Most called first; "${noOperation}" is for paths outside of the API.`,
    }),
    errors: Type.Array(
      Type.Object(
        { status: Type.Integer(), refused_by: Type.String(), operation: Type.String(), calls: Type.Integer() },
        closed,
      ),
      { description: "Most frequent first, at most 20." },
    ),
    limits: Type.Array(
      Type.Object(
        {
          key: Type.Object({ id: Type.Integer(), name: Type.String(), ends_with: Type.String() }, closed),
          plan: Type.String(),
          admitted: Type.Integer(),
          allowed: windows(orNull(Type.Integer(), "Null: no limit."), "What the key's plan allows."),
          busiest: windows(orNull(Type.Integer(), "Null: no counts are kept of then."), "The fullest there was."),
          use: windows(
            Type.Array(Type.Integer()),
            "Admitted calls of the newest minutes, hours and days, oldest first.",
          ),
          refused: windows(Type.Integer(), "Calls refused because that window was full."),
        },
        closed,
      ),
      { description: "Keys with calls, most calls first." },
    ),
  },
  { $id: "Analytics", ...closed },
);
