import assert from "node:assert/strict";
import examples from "../../../contract/examples.json" with { type: "json" };
import { responding } from "../runner/fault-proxy.ts";
import { Actor, expectFailure, expectSuccess, type Scenario } from "./scenario.ts";

const examplesById = examples.operations;
const sandbox_id = examplesById.getSandbox.reference.data.sandbox.id;

const call = <Reference extends { data: object }>(
  operation: string,
  args: object,
  request: string,
  response: Reference,
  received: (data: Reference["data"]) => unknown,
) => ({ operation, args, request, response, value: received(response.data) });

const path = `/v1/test/sandboxes/${sandbox_id}`;
const seed = { seed: "checkout-flow", catalogue: "empty" };
const outages = { by: "P90D", orders_per_day: 5, faults: [{ receiver: "down", from: "PT0S", to: "P3D" }] };

/** Each call with its request, its recorded response, and the client's result. */
const calls = [
  call(
    "createSandbox",
    seed,
    "POST /v1/test/sandboxes",
    examplesById.createSandbox.reference,
    ({ sandbox }) => sandbox,
  ),
  call(
    "listSandboxes",
    {},
    "GET /v1/test/sandboxes",
    examplesById.listSandboxes.reference,
    ({ sandboxes }) => sandboxes,
  ),
  call("getSandbox", { sandbox_id }, `GET ${path}`, examplesById.getSandbox.reference, ({ sandbox }) => sandbox),
  call(
    ...(["advanceSandbox", { sandbox_id, ...outages }, `POST ${path}/advance`] as const),
    examplesById.advanceSandbox.reference,
    ({ advance }) => advance,
  ),
  call(
    "forkSandbox",
    { sandbox_id },
    `POST ${path}/fork`,
    examplesById.forkSandbox.reference,
    ({ sandbox }) => sandbox,
  ),
  call(
    "deleteSandbox",
    { sandbox_id },
    `DELETE ${path}`,
    examplesById.deleteSandbox.reference,
    ({ sandbox }) => sandbox,
  ),
  call(
    ...(["triggerEvent", { type: "order.refunded" }, "POST /v1/test/events"] as const),
    examplesById.triggerEvent.reference,
    ({ test_event }) => test_event,
  ),
];

export const sandboxed: Scenario[] = [
  {
    name: "74 a sandbox, from its creation to its end",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "74");
      for (const { operation, args, request, response, value } of calls) {
        proxy.begin();
        const refused = expectFailure(await actor.call(operation, args), "PermissionDeniedError");
        assert.match(String(refused.details), /^live_key_on_test: /, operation);
        proxy.begin(() => responding(200, JSON.stringify(response)));
        const result = expectSuccess(await actor.call(operation, args));
        const [sentRequest] = proxy.requests;
        assert.equal(`${sentRequest?.method} ${sentRequest?.url}`, request);
        const { sandbox_id: _, ...body } = { sandbox_id, ...args };
        if (sentRequest?.method === "POST" && Object.keys(body).length > 0)
          assert.deepEqual(JSON.parse(sentRequest.body), body, operation);
        assert.deepEqual(result.value, value, operation);
      }
    },
  },
];
