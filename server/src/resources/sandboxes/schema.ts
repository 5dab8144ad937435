import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type, { type Static } from "typebox";
import { eventTypes } from "../webhooks/event-types.ts";
import { maxSandboxes } from "./limits.ts";

const duration = (description: string) => Type.String({ minLength: 1, maxLength: 40, description });
const time = (description: string) => Type.String({ format: "date-time", description });

export const SandboxId = Type.Object({ sandbox_id: Type.String({ maxLength: 40, description: "Its id." }) });

export const SandboxCreation = Type.Object(
  {
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "What the sandbox grows from: the same seed makes the same ids, beats and buyers. A random one by default.",
      }),
    ),
    webhook_url: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2_048, description: "Where all events of the sandbox are delivered." }),
    ),
    catalogue: Type.Enum(["demo", "empty"], {
      default: "demo",
      description: "`demo`: 500 invented beats. `empty`: none.",
    }),
  },
  { $id: "SandboxRequest" },
);

/** `readAdvance` checks the names of faults, so that the error can list the known faults. */
const Fault = Type.Object(
  {
    receiver: Type.Optional(
      Type.String({ maxLength: 40, description: "`down`: receivers of webhooks fail with 503." }),
    ),
    from: Type.Optional(duration("The beginning, after the present time of the sandbox.")),
    to: Type.Optional(duration("The end, after the present time of the sandbox.")),
    refunds: Type.Optional(
      Type.String({
        maxLength: 40,
        description: "`bounce`: refunds of simulated buyers fail after they were accepted.",
      }),
    ),
    disputes: Type.Optional(
      Type.String({ maxLength: 40, description: "`open`: banks of simulated buyers take payments back." }),
    ),
    payouts: Type.Optional(
      Type.String({ maxLength: 40, description: "`fail`: payouts come back from the banks of producers." }),
    ),
    share: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        multipleOf: 0.01,
        description: "The share of the orders or payouts that this happens to, from 0 to 1 in hundredths.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type Fault = Static<typeof Fault>;

export const SandboxAdvance = Type.Object(
  {
    by: duration("How far, at most 3,650 days: `P90D`."),
    orders_per_day: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      default: 0,
      description: "How many orders the simulated buyers place in a day, on average.",
    }),
    faults: Type.Optional(Type.Array(Fault, { maxItems: 20, description: "What goes wrong in that time." })),
  },
  { $id: "SandboxAdvanceRequest" },
);
export type SandboxAdvance = Static<typeof SandboxAdvance>;

const fields = {
  id: Type.String({ description: "16 letters and digits." }),
  seed: Type.String({ description: "What it grew from." }),
  catalogue: Type.String({ description: "`demo` or `empty`." }),
  now: time("The time of the sandbox."),
  base_url: Type.String({ format: "uri", description: "Where it is reached without a key; the API is below `/v1`." }),
  created_at: time("Real time."),
  expires_at: time("Real time: when it is deleted, unless a request reaches it before."),
};
const Sandbox = Type.Object(fields, { $id: "Sandbox", description: "A service of your own, with its own time." });
const NewSandbox = Type.Object(
  {
    ...fields,
    api_key: Type.String({ description: "A key with all permissions. It is shown this once." }),
    webhook_secret: Type.Union([Type.String(), Type.Null()], {
      description:
        "Verifies the deliveries to `webhook_url`; null without one, and in a fork, whose secret stays the same.",
    }),
  },
  { $id: "CreatedSandbox", description: "A new sandbox with the only copy of its key." },
);

const both = (status: 200 | 201, schema: Type.TSchema): ResponseSchemas => ({
  status,
  reference: schema,
  console: schema,
});

export const SandboxResponse = both(200, Type.Object({ sandbox: Sandbox }));
export const NewSandboxResponse = both(201, Type.Object({ sandbox: NewSandbox }));
export const SandboxesResponse = both(200, Type.Object({ sandboxes: Type.Array(Sandbox, { maxItems: maxSandboxes }) }));
export const AdvanceResponse = both(
  200,
  Type.Object({
    advance: Type.Object(
      {
        sandbox: Sandbox,
        is_complete: Type.Boolean({ description: "False where the time of a call did not suffice." }),
        remaining: Type.String({ description: "What is left, as `by` of the next call." }),
        orders: Type.Integer({ description: "Orders that simulated buyers placed." }),
        refunds: Type.Integer({ description: "Refunds that they wanted." }),
        disputes: Type.Integer({ description: "Disputes that their banks opened." }),
        payouts: Type.Integer({ description: "Payouts to producers that were sent." }),
      },
      { $id: "SandboxAdvance", description: "What an advance did." },
    ),
  }),
);

export const TestEventRequest = Type.Object(
  { type: Type.Enum([...eventTypes], { description: "The type of the event to cause." }) },
  { $id: "TestEventRequest" },
);
export const TestEventResponse = both(
  201,
  Type.Object({
    test_event: Type.Object(
      {
        type: Type.String({ description: "The type of the event." }),
        order_id: Type.Optional(Type.Integer({ description: "The order that was placed." })),
        license_id: Type.Optional(
          Type.String({ description: "The license that was upgraded, or whose usage was reported." }),
        ),
        beat_id: Type.Optional(Type.Integer({ description: "The beat that was made, changed or sold." })),
        upload_id: Type.Optional(Type.String({ description: "The upload whose analysis causes the event." })),
        payout_id: Type.Optional(Type.Integer({ description: "The payout to the account." })),
        user_id: Type.Optional(Type.Integer({ description: "The account that was made or changed." })),
      },
      {
        $id: "TestEvent",
        description: "An event that was caused, with the ids of what it is about. All of it exists, and stays.",
      },
    ),
  }),
);
