import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testApi } from "../../harness/api.ts";
import { insertBeats } from "../../harness/database/catalogue.ts";

// OWASP API10:2023, unsafe consumption of APIs. The payment provider's responses decide whether an order
// is paid, so this file tests hostile ones. server/src/resources/orders/payments/stripe/stripe.test.ts tests an honest
// response, and a response without a signature.

/** The response of the fake Stripe to a request: JSON, or raw text; null resets the connection. */
type Answer = { status?: number; body: object | string } | null;
let answer: (fields: URLSearchParams) => Answer = () => null;
let created = new URLSearchParams();

const provider = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  // The confirm request lacks the fields of the created payment, so the fake remembers them from the create request.
  if (request.url === "/v1/payment_intents") created = new URLSearchParams(text);
  const responseOf = answer(created);
  if (responseOf === null) return response.destroy();
  response.writeHead(responseOf.status ?? 200, { "content-type": "application/json", "request-id": "req_1" });
  response.end(typeof responseOf.body === "string" ? responseOf.body : JSON.stringify(responseOf.body));
}).listen(0, "127.0.0.1");
await once(provider, "listening");
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});
const apiBase = new URL(`http://127.0.0.1:${(provider.address() as AddressInfo).port}`);
const api = await testApi({ stripe: { secretKey: "sk_test_1", webhookSecret: undefined, apiBase } });
const { driver } = api.database;

let beat = 0;
beforeEach(async () => {
  [beat = 0] = await insertBeats(api.database, [{ priceCents: 2990 }]);
});

const buy = () =>
  api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}` },
    payload: { beat_id: beat, payment_method: "pm_card_visa" },
  });

const honestResponse = (fields: URLSearchParams) => ({
  id: "pi_1",
  object: "payment_intent",
  amount: Number(fields.get("amount")),
  amount_received: Number(fields.get("amount")),
  currency: fields.get("currency"),
  status: "succeeded",
  metadata: { payment_key: fields.get("metadata[payment_key]") },
  last_payment_error: null,
});

test("API10:2023 a payment in full completes the order", async () => {
  answer = (fields) => ({ body: honestResponse(fields) });
  expect((await buy()).json().data.order).toMatchObject({ status: "completed", amount: 29.9 });
});

test.each<[string, (fields: URLSearchParams) => Answer]>([
  ["less than the price", (fields) => ({ body: { ...honestResponse(fields), amount_received: 1 } })],
  [
    "more than the price",
    (fields) => ({ body: { ...honestResponse(fields), amount: 299_000, amount_received: 299_000 } }),
  ],
  ["another currency", (fields) => ({ body: { ...honestResponse(fields), currency: "jpy" } })],
  ["no amount", (fields) => ({ body: { ...honestResponse(fields), amount: null, amount_received: null } })],
  [
    "another payment's key",
    (fields) => ({ body: { ...honestResponse(fields), metadata: { payment_key: "order_1_other" } } }),
  ],
  ["no metadata", (fields) => ({ body: { ...honestResponse(fields), metadata: null } })],
  ["an id that is not a text", (fields) => ({ body: { ...honestResponse(fields), id: { $gt: "" } } })],
  ["an id of a megabyte", (fields) => ({ body: { ...honestResponse(fields), id: "pi_".padEnd(1_000_000, "x") } })],
  ["an id with a NUL", (fields) => ({ body: { ...honestResponse(fields), id: "pi_\0" } })],
  ["an unknown status", (fields) => ({ body: { ...honestResponse(fields), status: "__proto__" } })],
  ["an empty object", () => ({ body: {} })],
  ["a list", () => ({ body: [] })],
  ["no JSON", () => ({ body: "<html>502</html>" })],
  ["half of its JSON", () => ({ body: '{"id":"pi_1","status":"succ' })],
  ["a failure of its own", () => ({ status: 500, body: { error: { type: "api_error", message: "x" } } })],
  [
    "a refusal of our key",
    () => ({ status: 401, body: { error: { type: "invalid_request_error", message: "sk_test_1" } } }),
  ],
  ["20 MB", () => ({ body: `{"id":"${"x".repeat(20_000_000)}"}` })],
  ["nothing", () => null],
])(
  "API10:2023 a payment answered with %s completes no order, and the buyer gets a short response without our key",
  async (_what, hostile) => {
    answer = hostile;
    const response = await buy();
    expect(response.statusCode).toBe(201);
    const { order } = response.json().data;
    expect(order.status).not.toBe("completed");
    expect(response.body).not.toContain("sk_test_1");
    expect(response.body.length).toBeLessThan(2_000);
    expect(
      await driver`select id from events where type = 'beat.purchased' and payload like ${`%"beat_id":${beat}%`}`,
    ).toEqual([]);
  },
);

test("API10:2023 a provider's refusal message is shortened, and its control characters removed", async () => {
  answer = (fields) => ({
    status: 402,
    body: {
      error: {
        type: "card_error",
        code: "card_declined",
        message: `Declined.\0\u001b[31m${"x".repeat(100_000)}`,
        payment_intent: { ...honestResponse(fields), status: "requires_payment_method" },
      },
    },
  });
  const { order } = (await buy()).json().data;
  expect(order.status).toBe("failed");
  expect(order.failure_reason).toMatch(/^Declined\. /);
  expect(order.failure_reason.length).toBeLessThanOrEqual(500);
  expect(order.failure_reason).not.toMatch(/\p{Cc}/u);
});
