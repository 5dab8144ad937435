import { durationText } from "@beatmarket/http/input/durations.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type, { type Static } from "typebox";
import { eventTypes } from "../webhooks/event-types.ts";
import type { Advance, CreatedSandbox, SandboxState, TestEventSubject } from "./control.ts";
import { idleDays, maxSandboxes } from "./limits.ts";

const duration = (description: string) => Type.String({ minLength: 1, maxLength: 40, description });
const time = (description: string) => Type.String({ format: "date-time", description });

export const SandboxId = Type.Object({
  sandbox_id: Type.String({ maxLength: 40, description: "Identifier of the sandbox." }),
});

export const SandboxCreation = Type.Object(
  {
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "The seed of the sandbox. The same seed generates the same ids, beats and buyers. Default: a random seed.",
      }),
    ),
    webhook_url: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2_048, description: "The address that gets all events of the sandbox." }),
    ),
    catalogue: Type.Enum(["demo", "empty"], {
      default: "demo",
      description: "`demo`: 500 invented beats. `empty`: no beats, only the genres.",
    }),
  },
  { $id: "SandboxRequest" },
);

/** `readAdvance` checks the names of faults, so that the error can list the known faults. */
const Fault = Type.Object(
  {
    receiver: Type.Optional(
      Type.String({ maxLength: 40, description: "`down`: the receivers of webhooks respond with 503." }),
    ),
    from: Type.Optional(
      duration("When the fault begins, as a duration from the present time of the sandbox, such as `PT0S`."),
    ),
    to: Type.Optional(
      duration("When the fault ends, as a duration from the present time of the sandbox, such as `P3D`."),
    ),
    refunds: Type.Optional(
      Type.String({
        maxLength: 40,
        description: "`bounce`: refunds of simulated buyers are accepted, and fail later.",
      }),
    ),
    disputes: Type.Optional(
      Type.String({ maxLength: 40, description: "`open`: the banks of simulated buyers open disputes." }),
    ),
    payouts: Type.Optional(
      Type.String({ maxLength: 40, description: "`fail`: the banks of producers return payouts." }),
    ),
    share: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        multipleOf: 0.01,
        description: "The share of orders or payouts with the fault, from 0 to 1 in hundredths.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type Fault = Static<typeof Fault>;

export const SandboxAdvance = Type.Object(
  {
    by: duration("The duration to advance by, at most 3,650 days, such as `P90D`."),
    orders_per_day: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      default: 0,
      description: "How many orders the simulated buyers place in each day, at random times.",
    }),
    faults: Type.Optional(Type.Array(Fault, { maxItems: 20, description: "The faults that happen in that time." })),
  },
  { $id: "SandboxAdvanceRequest" },
);
export type SandboxAdvance = Static<typeof SandboxAdvance>;

const fields = {
  id: Type.String({ description: "Identifier of the sandbox: 16 letters and digits." }),
  seed: Type.String({ description: "The seed from which the sandbox was generated." }),
  catalogue: Type.String({ description: "The catalogue that the sandbox began with: `demo` or `empty`." }),
  now: time("The present time of the sandbox."),
  base_url: Type.String({
    format: "uri",
    description: "The address of the sandbox, which needs no key. The API is below `/v1`.",
  }),
  created_at: time("When the sandbox was created, in real time."),
  expires_at: time("When the sandbox will be deleted, in real time. Every request to the sandbox extends it."),
};
const Sandbox = Type.Object(fields, { $id: "Sandbox", description: "A service of your own with its own clock." });
const NewSandbox = Type.Object(
  {
    ...fields,
    api_key: Type.String({ description: "A key with all permissions, which is shown only once." }),
    webhook_secret: Type.Union([Type.String(), Type.Null()], {
      description:
        "The secret that verifies the deliveries to `webhook_url`. Null without a `webhook_url`, and for a copy, which keeps the secret of the original.",
    }),
  },
  { $id: "CreatedSandbox", description: "A new sandbox with its key." },
);

const sameInBothForms = (status: 200 | 201, schema: Type.TSchema): ResponseSchemas => ({
  status,
  reference: schema,
  console: schema,
});

export const SandboxResponse = sameInBothForms(200, Type.Object({ sandbox: Sandbox }));
export const NewSandboxResponse = sameInBothForms(201, Type.Object({ sandbox: NewSandbox }));
export const SandboxesResponse = sameInBothForms(
  200,
  Type.Object({ sandboxes: Type.Array(Sandbox, { maxItems: maxSandboxes }) }),
);
export const AdvanceResponse = sameInBothForms(
  200,
  Type.Object({
    advance: Type.Object(
      {
        sandbox: Sandbox,
        is_complete: Type.Boolean({
          description: "Whether the clock advanced by the whole duration. If not, send `remaining`.",
        }),
        remaining: Type.String({ description: "The remaining duration: the `by` of the next request." }),
        orders: Type.Integer({ description: "The number of orders that simulated buyers placed." }),
        refunds: Type.Integer({ description: "The number of refunds that simulated buyers requested." }),
        disputes: Type.Integer({ description: "The number of disputes that banks of simulated buyers opened." }),
        payouts: Type.Integer({ description: "The number of payouts that were sent to producers." }),
      },
      { $id: "SandboxAdvance", description: "What happened in the sandbox while its clock advanced." },
    ),
  }),
);

export const TestEventRequest = Type.Object(
  { type: Type.Enum([...eventTypes], { description: "The type of the event to cause." }) },
  { $id: "TestEventRequest" },
);
export const TestEventResponse = sameInBothForms(
  201,
  Type.Object({
    test_event: Type.Object(
      {
        type: Type.String({ description: "The type of the event." }),
        order_id: Type.Optional(Type.Integer({ description: "The order that was placed." })),
        license_id: Type.Optional(
          Type.String({ description: "The license that was upgraded, or whose usage was reported." }),
        ),
        beat_id: Type.Optional(Type.Integer({ description: "The beat that was created, changed or sold." })),
        upload_id: Type.Optional(Type.String({ description: "The upload whose analysis causes the event." })),
        payout_id: Type.Optional(Type.Integer({ description: "The payout to the account." })),
        user_id: Type.Optional(Type.Integer({ description: "The account that was created or changed." })),
      },
      {
        $id: "TestEvent",
        description:
          "The event that the request caused. The order, beat or other object that it names exists, and is not deleted afterwards.",
      },
    ),
  }),
);

const sandboxJson = ({ id, seed, catalogue, now, baseUrl, created_at, used_at }: SandboxState) => ({
  id,
  seed,
  catalogue,
  now: now.toISOString(),
  base_url: baseUrl,
  created_at: created_at.toISOString(),
  expires_at: new Date(used_at.getTime() + idleDays * 86_400_000).toISOString(),
});

export const sandboxReference = (sandbox: SandboxState) => ({ sandbox: sandboxJson(sandbox) });

export const newSandboxReference = (sandbox: CreatedSandbox) => ({
  sandbox: { ...sandboxJson(sandbox), api_key: sandbox.apiKey, webhook_secret: sandbox.webhookSecret },
});

export const sandboxesReference = (sandboxes: readonly SandboxState[]) => ({ sandboxes: sandboxes.map(sandboxJson) });

export const advanceReference = ({ sandbox, advance }: { sandbox: SandboxState; advance: Advance }) => ({
  advance: {
    sandbox: sandboxJson(sandbox),
    is_complete: advance.leftMs === 0,
    remaining: durationText(advance.leftMs),
    orders: advance.orders,
    refunds: advance.refunds,
    disputes: advance.disputes,
    payouts: advance.payouts,
  },
});

export const testEventReference = ({ type, ...subject }: TestEventSubject & { type: string }) => ({
  test_event: {
    type,
    ...(subject.orderId !== undefined && { order_id: subject.orderId }),
    ...(subject.licenseId !== undefined && { license_id: subject.licenseId }),
    ...(subject.beatId !== undefined && { beat_id: subject.beatId }),
    ...(subject.uploadId !== undefined && { upload_id: subject.uploadId }),
    ...(subject.payoutId !== undefined && { payout_id: subject.payoutId }),
    ...(subject.userId !== undefined && { user_id: subject.userId }),
  },
});
