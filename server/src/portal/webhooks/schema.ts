import { findings } from "@beatmarket/webhooks/debugging/doctor.ts";
import { deliveryStates, displayStates } from "@beatmarket/webhooks/deliveries.ts";
import Type from "typebox";
import { eventTypes } from "../../resources/webhooks/event-types.ts";

const closed = { additionalProperties: false };
const time = Type.String({ format: "date-time", description: "A time in ISO 8601, UTC." });
const orNull = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const EventTypeName = Type.Enum([...eventTypes]);
const State = Type.Enum([...deliveryStates]);

export const EndpointId = Type.Object({ endpoint_id: Type.Integer({ description: "Identifier of the endpoint." }) });
export const DeliveryId = Type.Object({ delivery_id: Type.Integer({ description: "Identifier of the delivery." }) });
export const ReceiptId = Type.Object({ receipt_id: Type.Integer({ description: "Identifier of the receipt." }) });

/** Counts of deliveries stop at this number, because the portal polls the list of endpoints. */
export const countedUpTo = 10_000;

const endpointFields = {
  id: Type.Integer(),
  kind: Type.Enum(["http", "inbox", "s3"], {
    description:
      "The kind of the endpoint. An `inbox` receives within the service. `s3` is a bucket, which gets objects of many events.",
  }),
  url: Type.String({ description: "The URL. Empty for an inbox; s3://… for a bucket." }),
  access_key_id: orNull(Type.String(), "The access key that signs the requests to a bucket. Null for other kinds."),
  description: Type.String(),
  event_types: orNull(Type.Array(EventTypeName), "The subscribed event types. Null: all types, also future ones."),
  ordered: Type.Boolean({
    description: "Whether the endpoint gets one delivery at a time, in the order of the events.",
  }),
  version: Type.String({ description: "The version of the API in whose shape the endpoint gets events." }),
  state: Type.Enum(["enabled", "disabled"]),
  disabled_at: orNull(time, "When the endpoint was disabled. Null if it is not disabled."),
  disabled_reason: orNull(Type.String(), "Why the endpoint was disabled, as a sentence. Null if it is not disabled."),
  failing_since: orNull(time, "The time of the first failed attempt since the last success."),
  last_error: orNull(Type.String(), "The error of the last failed attempt, in words."),
  last_success_at: orNull(time, "The time of the last success, to the minute while no attempt fails."),
  last_failure_at: orNull(time, "The time of the last failed attempt. Null if none has failed."),
  previous_secret_until: orNull(time, "Until when the former secret signs, too."),
  created_at: time,
  created_by: orNull(
    Type.Integer(),
    "The user who created the endpoint. Null if an operator did, or if it was not recorded.",
  ),
};

export const EndpointSchema = Type.Object(endpointFields, { $id: "WebhookEndpoint", ...closed });

export const EndpointHealth = Type.Object(
  {
    ...endpointFields,
    recent: Type.Array(Type.Enum([...displayStates]), {
      description: "The states of the newest deliveries, the newest first.",
    }),
    attempted: Type.Integer({ description: "Of the newest 100 deliveries, the number that had an attempt." }),
    succeeded: Type.Integer({ description: "Of these, the number that succeeded." }),
    undelivered: Type.Object(
      { pending: Type.Integer(), failed: Type.Integer(), skipped: Type.Integer() },
      {
        ...closed,
        description: `The number of deliveries in each of these states, counted up to ${countedUpTo}.`,
      },
    ),
  },
  { $id: "WebhookEndpointHealth", ...closed },
);

const url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    "An https URL with port 443 or a port from 1024 on. For a bucket: s3://bucket/prefix?region=…, with `endpoint=` and an origin unless it is at Amazon, and `path_style=true` if the server expects the bucket in the path.",
});
const accessKey = Type.Object(
  {
    access_key_id: Type.String({ minLength: 1, maxLength: 128 }),
    secret_access_key: Type.String({
      minLength: 1,
      maxLength: 256,
      description: "The secret access key, which is never shown again.",
    }),
  },
  {
    ...closed,
    description: "The access key of a bucket, which needs the permission s3:PutObject. Only for a bucket.",
  },
);
const description = Type.String({ maxLength: 200, description: "The purpose of the endpoint." });
const version = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "The version of the API in whose shape the endpoint gets events, such as 2026-11-20.",
});
const subscriptions = orNull(
  Type.Array(EventTypeName, { minItems: 1 }),
  "The subscribed event types. Null: all types, also future ones.",
);

export const NewEndpoint = Type.Object(
  {
    url,
    s3: Type.Optional(accessKey),
    description: Type.Unsafe<string>({ ...description, default: "" }),
    event_types: subscriptions,
    ordered: Type.Boolean({
      default: false,
      description: "Whether the endpoint gets one delivery at a time, in the order of the events.",
    }),
    version: Type.Optional(version),
  },
  { $id: "NewWebhookEndpoint", ...closed },
);

export const EndpointChange = Type.Object(
  {
    url: Type.Optional(url),
    s3: Type.Optional(accessKey),
    description: Type.Optional(description),
    event_types: Type.Optional(subscriptions),
    version: Type.Optional(version),
  },
  { $id: "WebhookEndpointChange", ...closed },
);

export const EndpointList = Type.Object({ endpoints: Type.Array(EndpointHealth) }, closed);

export const CreatedEndpoint = Type.Object(
  { endpoint: EndpointSchema, secret: Type.String({ description: "The secret that signs every delivery." }) },
  closed,
);

export const EnableRequest = Type.Object(
  { replay: Type.Boolean({ description: "Whether to send the skipped deliveries, too." }) },
  closed,
);
export const EnabledEndpoint = Type.Object(
  {
    endpoint: EndpointSchema,
    replayed: Type.Integer({ description: "The number of skipped deliveries that will be sent." }),
  },
  closed,
);

export const RotateRequest = Type.Object(
  {
    overlap_hours: Type.Integer({
      minimum: 0,
      maximum: 720,
      description: "The number of hours for which the old secret signs, too.",
    }),
    force: Type.Optional(
      Type.Boolean({
        description:
          "Whether to rotate while the secret before the present one still signs; that one then stops at once. Otherwise such a request gets 409.",
      }),
    ),
  },
  closed,
);

export const SecretSchema = Type.Object(
  {
    secret: Type.String(),
    previous_secret: orNull(Type.String(), "The former secret, which signs too until `previous_secret_until`."),
    previous_secret_until: orNull(time, "Until when the former secret signs, too. Null if there is none."),
  },
  { $id: "WebhookSecret", ...closed },
);

export const TestRequest = Type.Object({ type: EventTypeName }, closed);
export const SentTest = Type.Object({ delivery_id: Type.Integer() }, closed);

const deliveryFields = {
  id: Type.Integer(),
  endpoint_id: Type.Integer(),
  event_id: Type.String(),
  type: EventTypeName,
  test: Type.Boolean({ description: "Whether this is a test event, whose beat and accounts do not exist." }),
  state: State,
  attempts: Type.Integer({ description: "The number of attempts since the delivery was last queued." }),
  total_attempts: Type.Integer({
    description: "The number of all attempts, also before the delivery was sent again. At most 1,000.",
  }),
  next_attempt_at: orNull(time, "The time of the next attempt. Null unless the delivery is pending."),
  created_at: time,
  last_status: orNull(Type.Integer(), "The status of the last response. Null without an attempt or a response."),
  last_error: orNull(Type.String(), "The error of the last attempt, in words. Null if it succeeded."),
  last_attempt_at: orNull(time, "The time of the last attempt. Null if there was none."),
};

const DeliverySchema = Type.Object(deliveryFields, { $id: "WebhookDelivery", ...closed });

const moment = (text: string) => Type.Optional(Type.String({ maxLength: 40, description: text }));
const cursor = (text: string) => Type.Optional(Type.String({ maxLength: 40, description: text }));

export const DeliveriesQuery = Type.Object({
  state: Type.Optional(Type.Enum([...deliveryStates], { description: "Only deliveries in this state." })),
  type: Type.Optional(Type.Enum([...eventTypes], { description: "Only events of this type." })),
  from: moment("Only events from this time on, ISO 8601."),
  to: moment("Only events before this time, ISO 8601."),
  older_than: cursor("The page that follows this event."),
  newer_than: cursor("The page that precedes this event."),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "The number of deliveries on a page." }),
});

export const DeliveryPageSchema = Type.Object(
  {
    deliveries: Type.Array(DeliverySchema),
    newer: orNull(Type.String(), "The `newer_than` of the page with newer events. Null on the first page."),
    older: orNull(Type.String(), "The `older_than` of the page with older events. Null on the last page."),
  },
  closed,
);

export const DeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    payload: Type.String({ description: "The body, as it is sent." }),
    version: Type.String({
      description:
        "The version of the API in whose shape the body is: that of the endpoint, which the header Beat-Version names.",
    }),
    history: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          attempted_at: time,
          status: orNull(Type.Integer(), "The status of the response. Null if there was none."),
          duration_ms: Type.Integer(),
          error: orNull(Type.String(), "The error in words. Null if the attempt succeeded."),
          answer: Type.String({ description: "The first 20 kB of the response." }),
        },
        closed,
      ),
      { description: "The newest attempts, in the order in which they were made." },
    ),
  },
  { $id: "WebhookDeliveryDetail", ...closed },
);

export const SignedCurl = Type.Object(
  { curl: Type.String({ description: "A command for a POSIX shell, signed at this moment." }) },
  closed,
);

const which = Type.Enum(["failed", "skipped", "undelivered", "all"], {
  description:
    "Which deliveries to send: `failed`, `skipped`, both (`undelivered`), or `all` of a period. `all` includes succeeded deliveries and events without a delivery.",
});

export const ReplayQuery = Type.Object({
  which,
  from: moment("Only events from this time on, ISO 8601. Required for `all`."),
  to: moment("Only events before this time, ISO 8601."),
});

export const ReplayRequest = Type.Object(ReplayQuery.properties, { $id: "WebhookReplay", ...closed });

/** The maximum number of deliveries of one replay. */
export const maxReplay = 10_000;

export const ReplayPreview = Type.Object(
  {
    count: Type.Integer({
      description:
        "The number of deliveries that the replay would send. One more than `limit` means more than `limit`.",
    }),
    limit: Type.Integer({ description: "The largest number of deliveries that one replay sends." }),
  },
  closed,
);
export const Replayed = Type.Object({ replayed: Type.Integer() }, closed);

const receiptFields = {
  id: Type.Integer(),
  delivery_id: Type.Integer(),
  event_id: Type.String(),
  type: Type.String(),
  received_at: time,
  verified: Type.Boolean(),
};

export const ReceiptList = Type.Object(
  { receipts: Type.Array(Type.Object(receiptFields, { $id: "WebhookReceipt", ...closed })) },
  { ...closed, description: "The newest comes first." },
);

export const ReceiptDetail = Type.Object(
  {
    ...receiptFields,
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, closed)),
    body: Type.String({ description: "The received bytes, as UTF-8." }),
    body_bytes: Type.Integer(),
    given_signature: Type.String({ description: "The received value of X-Webhook-Signature." }),
    computed_signature: Type.String({ description: "The HMAC that the inbox computed." }),
    secret_end: Type.String({ description: "The last characters of the secret that the inbox used." }),
    age_seconds: Type.Number({
      description: "The age of the header `webhook-timestamp` when the delivery was received, in seconds.",
    }),
    tolerance_seconds: Type.Integer({
      description: "The largest difference in seconds. An older or a newer timestamp is refused.",
    }),
  },
  { $id: "WebhookReceiptDetail", ...closed },
);

export const DoctorRequest = Type.Object(
  {
    endpoint_id: Type.Integer({ description: "The endpoint of the delivery." }),
    secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "The secret that the receiver has. Default: the endpoint's.",
      }),
    ),
    headers: Type.Unsafe<string>({
      type: "string",
      maxLength: 20_000,
      "x-multiline": true,
      description: "The headers, as copied lines of `name: value` or as a JSON object.",
    }),
    body_base64: Type.String({ maxLength: 80_000, description: "The bytes that the receiver checks, in Base64." }),
    computed: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "The signature that the receiver's code computed. With it, the doctor can find the mistake.",
      }),
    ),
  },
  { $id: "WebhookEvidence", ...closed },
);

export const DiagnosisSchema = Type.Object(
  {
    ok: Type.Boolean(),
    finding: Type.Enum([...findings], { description: "The result; docs/webhooks.md has a paragraph on each." }),
    cause: Type.String({ description: "The cause, as a sentence." }),
    advice: Type.String({ description: "What to do. Empty if there is nothing to do." }),
  },
  { $id: "WebhookDiagnosis", ...closed },
);

export const NoticeList = Type.Object(
  {
    endpoints: Type.Array(EndpointSchema, {
      description: "The endpoints that are disabled or failing, disabled ones first.",
    }),
  },
  closed,
);
