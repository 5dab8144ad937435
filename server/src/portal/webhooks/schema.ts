import { findings } from "@beatmarket/webhooks/debugging/doctor.ts";
import { deliveryStates, displayStates } from "@beatmarket/webhooks/deliveries.ts";
import Type from "typebox";
import { eventTypes } from "../../resources/webhooks/event-types.ts";

const closed = { additionalProperties: false };
const time = Type.String({ format: "date-time", description: "ISO 8601, UTC." });
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
    description: "An inbox receives within the service; s3 is a bucket, which gets objects of many events.",
  }),
  url: Type.String({ description: "Empty for an inbox; s3://… for a bucket." }),
  access_key_id: orNull(Type.String(), "Signs the requests to a bucket; null for other kinds."),
  description: Type.String(),
  event_types: orNull(Type.Array(EventTypeName), "Null: every type, those to come included."),
  ordered: Type.Boolean({ description: "One delivery at a time, in the order of the events." }),
  version: Type.String({ description: "The version of the API in whose shape it gets events." }),
  state: Type.Enum(["enabled", "disabled"]),
  disabled_at: orNull(time, "Null unless disabled."),
  disabled_reason: orNull(Type.String(), "A sentence; null unless disabled."),
  failing_since: orNull(time, "The first failed attempt since the last success."),
  last_error: orNull(Type.String(), "Of the last failed attempt, in words."),
  last_success_at: orNull(time, "To the minute while all goes well."),
  last_failure_at: orNull(time, "Null when no attempt has failed."),
  previous_secret_until: orNull(time, "Until then the secret before the present one signs too."),
  created_at: time,
  created_by: orNull(Type.Integer(), "The user who made it; null: an operator, or nobody recorded who."),
};

export const EndpointSchema = Type.Object(endpointFields, { $id: "WebhookEndpoint", ...closed });

export const EndpointHealth = Type.Object(
  {
    ...endpointFields,
    recent: Type.Array(Type.Enum([...displayStates]), {
      description: "How the newest deliveries stand, newest first.",
    }),
    attempted: Type.Integer({ description: "Of the newest hundred deliveries, those that were ever attempted." }),
    succeeded: Type.Integer({ description: "Of these, those that succeeded." }),
    undelivered: Type.Object(
      { pending: Type.Integer(), failed: Type.Integer(), skipped: Type.Integer() },
      { ...closed, description: `Deliveries in these states, each counted up to ${countedUpTo}.` },
    ),
  },
  { $id: "WebhookEndpointHealth", ...closed },
);

const url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description:
    "https, port 443 or 1024 and above. Of a bucket: s3://bucket/prefix?region=…, with endpoint=… (an origin) unless it is Amazon's, and path_style=true if its server takes the bucket in the path.",
});
const accessKey = Type.Object(
  {
    access_key_id: Type.String({ minLength: 1, maxLength: 128 }),
    secret_access_key: Type.String({ minLength: 1, maxLength: 256, description: "Never shown again." }),
  },
  { ...closed, description: "The access key of a bucket, which needs s3:PutObject; for a bucket alone." },
);
const description = Type.String({ maxLength: 200, description: "What the endpoint is for." });
const version = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "The version of the API in whose shape it gets events, such as 2026-11-20.",
});
const subscriptions = orNull(Type.Array(EventTypeName, { minItems: 1 }), "Null: every type, those to come included.");

export const NewEndpoint = Type.Object(
  {
    url,
    s3: Type.Optional(accessKey),
    description: Type.Unsafe<string>({ ...description, default: "" }),
    event_types: subscriptions,
    ordered: Type.Boolean({ default: false, description: "One delivery at a time, in the order of the events." }),
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
  { endpoint: EndpointSchema, secret: Type.String({ description: "Signs every delivery." }) },
  closed,
);

export const EnableRequest = Type.Object(
  { replay: Type.Boolean({ description: "Whether to deliver what was skipped, too." }) },
  closed,
);
export const EnabledEndpoint = Type.Object(
  { endpoint: EndpointSchema, replayed: Type.Integer({ description: "Skipped deliveries that are on their way." }) },
  closed,
);

export const RotateRequest = Type.Object(
  {
    overlap_hours: Type.Integer({
      minimum: 0,
      maximum: 720,
      description: "How long the old secret signs too.",
    }),
    force: Type.Optional(
      Type.Boolean({
        description:
          "Also while the secret before the old one still signs, which stops at once. Without it: 409 until then.",
      }),
    ),
  },
  closed,
);

export const SecretSchema = Type.Object(
  {
    secret: Type.String(),
    previous_secret: orNull(Type.String(), "Signs too, until it ends."),
    previous_secret_until: orNull(time, "Null without one."),
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
  test: Type.Boolean({ description: "A test event, whose beat and accounts do not exist." }),
  state: State,
  attempts: Type.Integer({ description: "Since it was last put into the queue." }),
  total_attempts: Type.Integer({ description: "In all, also before it was sent again; up to 1,000." }),
  next_attempt_at: orNull(time, "Null unless pending."),
  created_at: time,
  last_status: orNull(Type.Integer(), "Null without an attempt, and without a response."),
  last_error: orNull(Type.String(), "In words; null when the last attempt succeeded."),
  last_attempt_at: orNull(time, "Null without an attempt."),
};

const DeliverySchema = Type.Object(deliveryFields, { $id: "WebhookDelivery", ...closed });

const moment = (text: string) => Type.Optional(Type.String({ maxLength: 40, description: text }));
const cursor = (text: string) => Type.Optional(Type.String({ maxLength: 40, description: text }));

export const DeliveriesQuery = Type.Object({
  state: Type.Optional(Type.Enum([...deliveryStates], { description: "Only deliveries in this state." })),
  type: Type.Optional(Type.Enum([...eventTypes], { description: "Only events of this type." })),
  from: moment("Events from then on, ISO 8601."),
  to: moment("Events before then, ISO 8601."),
  older_than: cursor("The page after this event."),
  newer_than: cursor("The page before this event."),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Deliveries of a page." }),
});

export const DeliveryPageSchema = Type.Object(
  {
    deliveries: Type.Array(DeliverySchema),
    newer: orNull(Type.String(), "What newer_than takes for the page of newer events; null on the first."),
    older: orNull(Type.String(), "What older_than takes for the page of older events; null on the last."),
  },
  closed,
);

export const DeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    payload: Type.String({ description: "The body, as it is sent." }),
    version: Type.String({
      description: "The version of the API that the body has: that of the endpoint, as the header Beat-Version says.",
    }),
    history: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          attempted_at: time,
          status: orNull(Type.Integer(), "Null when no response came."),
          duration_ms: Type.Integer(),
          error: orNull(Type.String(), "In words; null when it succeeded."),
          answer: Type.String({ description: "The first 20 kB." }),
        },
        closed,
      ),
      { description: "The newest attempts, oldest of them first." },
    ),
  },
  { $id: "WebhookDeliveryDetail", ...closed },
);

export const SignedCurl = Type.Object(
  { curl: Type.String({ description: "A line for a POSIX shell, signed at this moment." }) },
  closed,
);

const which = Type.Enum(["failed", "skipped", "undelivered", "all"], {
  description:
    "Which deliveries to send: failed ones, skipped ones, both, or all of a time range, including succeeded ones and events without a delivery.",
});

export const ReplayQuery = Type.Object({
  which,
  from: moment("Events from then on, ISO 8601. Needed for all."),
  to: moment("Events before then, ISO 8601."),
});

export const ReplayRequest = Type.Object(ReplayQuery.properties, { $id: "WebhookReplay", ...closed });

/** The maximum number of deliveries of one replay. */
export const maxReplay = 10_000;

export const ReplayPreview = Type.Object(
  {
    count: Type.Integer({
      description: "Deliveries that would be sent; one more than `limit` stands for any number above.",
    }),
    limit: Type.Integer({ description: "The most that one replay takes." }),
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
  { ...closed, description: "Newest first." },
);

export const ReceiptDetail = Type.Object(
  {
    ...receiptFields,
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, closed)),
    body: Type.String({ description: "The bytes as they came, as UTF-8." }),
    body_bytes: Type.Integer(),
    given_signature: Type.String({ description: "What X-Webhook-Signature held." }),
    computed_signature: Type.String({ description: "The HMAC that the inbox computed." }),
    secret_end: Type.String({ description: "The end of the secret that it used." }),
    age_seconds: Type.Number({ description: "Of webhook-timestamp when it came." }),
    tolerance_seconds: Type.Integer({ description: "Older or newer is refused." }),
  },
  { $id: "WebhookReceiptDetail", ...closed },
);

export const DoctorRequest = Type.Object(
  {
    endpoint_id: Type.Integer({ description: "The endpoint whose delivery it is." }),
    secret: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "What the receiver has; absent: the endpoint's." }),
    ),
    headers: Type.Unsafe<string>({
      type: "string",
      maxLength: 20_000,
      "x-multiline": true,
      description: "Lines of `name: value` as they were copied, or a JSON object.",
    }),
    body_base64: Type.String({ maxLength: 80_000, description: "The bytes that the receiver checks." }),
    computed: Type.Optional(
      Type.String({ maxLength: 200, description: "What the receiver's own code computed, to find its mistake." }),
    ),
  },
  { $id: "WebhookEvidence", ...closed },
);

export const DiagnosisSchema = Type.Object(
  {
    ok: Type.Boolean(),
    finding: Type.Enum([...findings], { description: "What was found: docs/webhooks.md has a paragraph on each." }),
    cause: Type.String({ description: "A sentence." }),
    advice: Type.String({ description: "What to do; empty when there is nothing to do." }),
  },
  { $id: "WebhookDiagnosis", ...closed },
);

export const NoticeList = Type.Object(
  {
    endpoints: Type.Array(EndpointSchema, { description: "Those that are disabled or failing, disabled ones first." }),
  },
  closed,
);
