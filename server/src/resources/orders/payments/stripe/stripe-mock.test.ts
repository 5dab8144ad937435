import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Payment, PaymentPage } from "@beatmarket/payments/provider.ts";
import { StripePayments } from "@beatmarket/payments/stripe/stripe.ts";
import Stripe from "stripe";
import { expect, type TestContext, test } from "vitest";
import { findStripeMock, type MockedCall, startStripeMock } from "../../../../../test/processes/stripe-mock.ts";

// stripe-mock checks requests against Stripe's own OpenAPI document. It rejects unknown parameters, wrong types and
// unknown paths. Its responses are fixtures that do not match the requested payments, so these tests ignore the results
// of the adapter.

const adapter = join(import.meta.dirname, "../../../../../../packages/payments/src/stripe");
const mock = await findStripeMock();

async function start(context: TestContext, answer?: Parameters<typeof startStripeMock>[1]) {
  if ("missing" in mock) return context.skip(mock.missing);
  const started = await startStripeMock(mock.program, answer);
  context.onTestFinished(started.close);
  const payments = new StripePayments({ secretKey: "sk_test_123", webhookSecret: undefined, apiBase: started.url });
  return { ...started, payments };
}

const payment: Payment = {
  orderId: 42,
  key: "order_42_key",
  amountCents: 2990,
  currency: "USD",
  method: "pm_card_visa",
  reference: "pi_123",
  isShared: false,
};
const page: PaymentPage = {
  key: "checkout_2mV8hQ0bYxK3nT6rWc4Lp9Zs",
  reference: null,
  amountCents: 9480,
  currency: "USD",
  lines: [
    { name: "Midnight", description: "premium license, prod. by Nightowl", amountCents: 5990 },
    { name: "Sunrise", description: "basic license, prod. by Lark", amountCents: 3490 },
  ],
  email: "buyer@example.com",
  createdAt: new Date(),
  expiresAt: new Date(Date.now() + 24 * 3_600_000),
  returnUrl: "https://beats.example/pay/checkouts/checkout_2mV8hQ0bYxK3nT6rWc4Lp9Zs",
  cancelUrl: "https://beats.example/basket",
};
const payout = { id: 77, amount_cents: 41_250, currency: "EUR", stripe_account: "acct_123", refusals: 0 };
const openPage: PaymentPage = { ...page, reference: "cs_test_123" };

/** For each method of Stripe's package that the adapter calls, a function that causes the call. */
const causes: Record<string, (payments: StripePayments) => Promise<unknown>> = {
  "balance.retrieve": (payments) => payments.findProblem(),
  "balanceTransactions.list": (payments) => Array.fromAsync(payments.movements(new Date(0), new Date())),
  "checkout.sessions.create": ({ pages }) => pages.open(page),
  "checkout.sessions.expire": ({ pages }) => pages.expire(openPage),
  "checkout.sessions.retrieve": ({ pages }) => pages.query(openPage),
  "disputes.retrieve": (payments) => payments.queryDispute(payment, "dp_123"),
  "paymentIntents.cancel": (payments) => payments.cancel(payment),
  "paymentIntents.confirm": (payments) => payments.confirm(payment, "https://beats.example/pay/order_42_key"),
  "paymentIntents.create": (payments) => payments.create(payment),
  "paymentIntents.retrieve": (payments) => payments.query(payment),
  "paymentIntents.search": (payments) => payments.create({ ...payment, reference: null }),
  "paymentMethods.retrieve": (payments) => payments.requirePayable("pm_card_visa"),
  "refunds.create": (payments) => payments.refund(payment, { key: "refund_1", amountCents: 990 }),
  "refunds.list": (payments) => payments.listRefunds(payment),
  "refunds.retrieve": (payments) => payments.queryRefund(payment, "re_123:42"),
  "transfers.create": ({ transfers }) => transfers.make(payout),
  "transfers.list": ({ transfers }) => transfers.find(payout),
};

const paths: Record<keyof typeof causes, string> = {
  "balance.retrieve": "GET /v1/balance",
  "balanceTransactions.list": "GET /v1/balance_transactions",
  "checkout.sessions.create": "POST /v1/checkout/sessions",
  "checkout.sessions.expire": "POST /v1/checkout/sessions/cs_test_123/expire",
  "checkout.sessions.retrieve": "GET /v1/checkout/sessions/cs_test_123",
  "disputes.retrieve": "GET /v1/disputes/dp_123",
  "paymentIntents.cancel": "POST /v1/payment_intents/pi_123/cancel",
  "paymentIntents.confirm": "POST /v1/payment_intents/pi_123/confirm",
  "paymentIntents.create": "POST /v1/payment_intents",
  "paymentIntents.retrieve": "GET /v1/payment_intents/pi_123",
  "paymentIntents.search": "GET /v1/payment_intents/search",
  "paymentMethods.retrieve": "GET /v1/payment_methods/pm_card_visa",
  "refunds.create": "POST /v1/refunds",
  "refunds.list": "GET /v1/refunds",
  "refunds.retrieve": "GET /v1/refunds/re_123",
  "transfers.create": "POST /v1/transfers",
  "transfers.list": "GET /v1/transfers",
};

/** Responses that replace a fixture, so that the adapter makes its next request. */
const replacedResponses: Partial<Record<string, { request: string; status: number; body: object }>> = {
  "paymentIntents.search": {
    request: "POST /v1/payment_intents",
    status: 400,
    body: { error: { type: "idempotency_error", message: "Keys are for the same parameters." } },
  },
  "paymentIntents.cancel": {
    request: "GET /v1/payment_intents/pi_123",
    status: 200,
    body: { id: "pi_123", amount: 2990, currency: "usd", status: "processing", metadata: { payment_key: payment.key } },
  },
};

test("the table `causes` has every call of the adapter to Stripe's package", async () => {
  const sources = await Promise.all(
    ["stripe.ts", "stripe-pages.ts", "stripe-transfers.ts"].map((file) => readFile(join(adapter, file), "utf8")),
  );
  const adapterCalls = [...sources.join("\n").matchAll(/\bstripe\.((?!webhooks|errors)[a-z]\w*(?:\.\w+)+)\(/g)];
  expect([...new Set(adapterCalls.map(([, name]) => name))].sort()).toEqual(Object.keys(causes));
});

test("Stripe's document accepts every call that the adapter makes", async (context) => {
  let answer: (typeof replacedResponses)[string];
  const { payments, calls } = await start(context, (call) =>
    call === answer?.request ? { status: answer.status, body: JSON.stringify(answer.body) } : undefined,
  );
  for (const [name, cause] of Object.entries(causes)) {
    calls.length = 0;
    answer = replacedResponses[name];
    // The adapter reports that a fixture is not the requested payment.
    await cause(payments).catch((error: unknown) => error);
    const otherCalls = calls.filter(({ call }) => call !== answer?.request);
    expect(
      otherCalls.filter(({ status }) => status >= 400),
      name,
    ).toEqual([]);
    expect(
      otherCalls.map(({ call }) => call),
      name,
    ).toContain(paths[name]);
  }
});

test("Stripe's document accepts another currency, one license, and a checkout without an e-mail address", async (context) => {
  const { payments, calls } = await start(context);
  const [line] = page.lines;
  await payments.pages.open({ ...page, currency: "EUR", email: null, lines: line === undefined ? [] : [line] });
  expect(calls.map(({ status }) => status)).toEqual([200]);
});

test("stripe-mock rejects an unknown parameter, a wrong type and an unknown path", async (context) => {
  const { url, calls } = await start(context);
  const stripe = new Stripe("sk_test_123", {
    host: url.hostname,
    port: url.port,
    protocol: "http",
    maxNetworkRetries: 0,
  });
  const callOf = async (call: Promise<unknown>) => {
    await call.catch(() => {});
    return calls.at(-1) as MockedCall;
  };
  const params = { amount: 2990, currency: "usd" };
  expect(await callOf(stripe.paymentIntents.create({ ...params, payment_page: "x" } as never))).toMatchObject({
    status: 400,
    message: expect.stringContaining("additional properties are not allowed"),
  });
  expect((await callOf(stripe.paymentIntents.create({ ...params, amount: "much" } as never))).status).toBe(400);
  expect((await callOf(stripe.rawRequest("GET", "/v1/payment_pages"))).status).toBe(404);
});
