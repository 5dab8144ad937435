import { randomBytes } from "node:crypto";
import { type Presenter, route } from "@beatmarket/http/pipeline/api-route.ts";
import type { SandboxControl, TriggerEvent } from "./control.ts";
import {
  AdvanceResponse,
  advanceReference,
  NewSandboxResponse,
  newSandboxReference,
  SandboxAdvance,
  SandboxCreation,
  SandboxesResponse,
  SandboxId,
  SandboxResponse,
  sandboxesReference,
  sandboxReference,
  TestEventRequest,
  TestEventResponse,
  testEventReference,
} from "./present.ts";
import { readAdvance } from "./read-advance.ts";

const bothForms = <Value, Presented>(reference: Presenter<Value, Presented>) => ({
  reference,
  console: (value: Value, context: Parameters<Presenter<Value, Presented>>[1]) => ({ data: reference(value, context) }),
});
const ofTestMode = { tag: "Sandboxes", permission: null, ofTestMode: true } as const;
/** The service that records the examples creates this sandbox (server/tools/test-mode.ts). */
const example = { parameters: { sandbox_id: "3n0vk7d2m9q4xw1c" } };
const missing = { parameters: { sandbox_id: "0000000000000000" } };
const withUnknownParameter = (schema: { parameters?: object }) => ({
  ...schema,
  parameters: { ...schema.parameters, colour: "blue" },
});
const tooMany = { conflict: "The account has the maximum number of sandboxes." };
const changesNoContent = { changesContent: () => false };

/**
 * The operations on sandboxes and test events (docs/api/sandboxes.md). `control` is null outside of test mode, where
 * these operations never run.
 */
export function sandboxRoutes(control: SandboxControl | null, trigger: TriggerEvent) {
  const sandboxes = (): SandboxControl => {
    if (control === null) throw new Error("Sandboxes are managed in the test mode of an account.");
    return control;
  };
  return [
    route({
      operationId: "createSandbox",
      client: "sandboxes.create",
      method: "POST",
      path: "/test/sandboxes",
      ...ofTestMode,
      ...changesNoContent,
      ...tooMany,
      summary: "Create a sandbox",
      description:
        "Creates a sandbox: a copy of the service with its own data, whose clock stands still until you advance it. A repeated request with the same `Idempotency-Key` creates one sandbox.",
      idempotent: true,
      body: SandboxCreation,
      response: NewSandboxResponse,
      present: bothForms(newSandboxReference),
      location: ({ id }) => `/test/sandboxes/${id}`,
      examples: {
        success: { body: { seed: "checkout-flow", catalogue: "empty" } },
        invalid: { body: { catalogue: "huge" } },
      },
      handle: ({ body: { seed = randomBytes(12).toString("hex"), catalogue, webhook_url }, idempotencyRun }) =>
        sandboxes().create({ seed, catalogue, webhookUrl: webhook_url ?? null }, idempotencyRun),
    }),
    route({
      operationId: "listSandboxes",
      client: "sandboxes.list",
      method: "GET",
      path: "/test/sandboxes",
      ...ofTestMode,
      summary: "List your sandboxes",
      description: "Returns the sandboxes of the account, the oldest first.",
      response: SandboxesResponse,
      present: bothForms(sandboxesReference),
      examples: { success: {}, invalid: withUnknownParameter({}) },
      handle: () => sandboxes().list(),
    }),
    route({
      operationId: "getSandbox",
      client: "sandboxes.get",
      method: "GET",
      path: "/test/sandboxes/:sandbox_id",
      ...ofTestMode,
      summary: "Get a sandbox",
      description: "Returns a sandbox with its present time.",
      params: SandboxId,
      response: SandboxResponse,
      present: bothForms(sandboxReference),
      examples: { success: example, invalid: withUnknownParameter(example), missing },
      handle: ({ params }) => sandboxes().get(params.sandbox_id),
    }),
    route({
      operationId: "deleteSandbox",
      client: "sandboxes.delete",
      method: "DELETE",
      path: "/test/sandboxes/:sandbox_id",
      ...ofTestMode,
      ...changesNoContent,
      summary: "Delete a sandbox",
      description: "Deletes the sandbox with its database, files and keys at once, and returns it as it was.",
      params: SandboxId,
      response: SandboxResponse,
      present: bothForms(sandboxReference),
      examples: { success: example, invalid: withUnknownParameter(example), missing },
      handle: ({ params }) => sandboxes().delete(params.sandbox_id),
    }),
    route({
      operationId: "advanceSandbox",
      client: "sandboxes.advance",
      method: "POST",
      path: "/test/sandboxes/:sandbox_id/advance",
      ...ofTestMode,
      ...changesNoContent,
      summary: "Advance the clock of a sandbox",
      description:
        "Advances the clock, and executes all that happens until then in the order of time. A request works for up to 10 seconds; pass `remaining` as `by` of the next one.",
      conflict: "The sandbox is too large to advance, or another request advances it now.",
      params: SandboxId,
      body: SandboxAdvance,
      response: AdvanceResponse,
      present: bothForms(advanceReference),
      examples: {
        success: { ...example, body: { by: "P90D" } },
        invalid: { ...example, body: { by: "-P1D" } },
        missing: { ...missing, body: { by: "P90D" } },
      },
      handle: ({ params, body }) => sandboxes().advance(params.sandbox_id, readAdvance(body)),
    }),
    route({
      operationId: "forkSandbox",
      client: "sandboxes.fork",
      method: "POST",
      path: "/test/sandboxes/:sandbox_id/fork",
      ...ofTestMode,
      ...changesNoContent,
      ...tooMany,
      summary: "Copy a sandbox",
      description:
        "Creates another sandbox with the same time and data, and a key of its own. A repeated request with the same `Idempotency-Key` creates one copy.",
      idempotent: true,
      params: SandboxId,
      response: NewSandboxResponse,
      present: bothForms(newSandboxReference),
      location: ({ id }) => `/test/sandboxes/${id}`,
      examples: { success: example, invalid: withUnknownParameter(example), missing },
      handle: ({ params, idempotencyRun }) => sandboxes().fork(params.sandbox_id, idempotencyRun),
    }),
    route({
      operationId: "triggerEvent",
      client: "events.trigger",
      method: "POST",
      path: "/test/events",
      ...ofTestMode,
      ...changesNoContent,
      summary: "Cause an event",
      description:
        "Creates in test mode what the event describes, such as an order and its refund. The event and its deliveries follow.",
      conflict:
        "Test mode lacks what the event needs: a beat of another account on sale, or for a payout one of your own.",
      body: TestEventRequest,
      response: TestEventResponse,
      present: bothForms(testEventReference),
      examples: { success: { body: { type: "order.refunded" } }, invalid: { body: { type: "beat.renamed" } } },
      handle: async (call) => ({ type: call.body.type, ...(await trigger(call, call.body.type)) }),
    }),
  ];
}
