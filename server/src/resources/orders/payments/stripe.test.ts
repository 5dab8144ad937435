import pino from "pino";
import Stripe from "stripe";
import { beforeEach, describe, expect, it } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { FakeClock } from "../../../../test/harness/fake-clock.ts";
import { stripeServer } from "../../../../test/processes/stripe-server.ts";
import { CatalogueVersion } from "../../../database/catalogue/catalogue-version.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { placeOrder } from "../checkout/place-order.ts";
import { Reconciler } from "../checkout/reconciler.ts";
import { findOrder } from "../queries.ts";
import { StripePayments } from "./stripe.ts";

const webhookSecret = "whsec_test";
const stripe = await stripeServer();
const settings = { secretKey: "sk_test_1", webhookSecret, apiBase: stripe.url };
const clock = new FakeClock();
const api = await testApi({ clock, stripe: settings });
const { query: db, driver } = api.database;
const payments = new StripePayments(settings, { timeoutMs: 200 });
const checkout: Checkout = {
  db,
  clock,
  log: pino({ level: "silent" }),
  payments: [payments],
  currency: "USD",
  publicUrl: "https://beats.example",
};
const reconciler = new Reconciler(checkout, new CatalogueVersion());

let beat = 0;
beforeEach(async () => {
  await driver`truncate orders, events cascade`;
  stripe.intents.length = stripe.calls.length = stripe.keys.length = stripe.refunds.length = 0;
  [beat = 0] = await insertBeats(api.database, [{ priceCents: 2990 }]);
});

const buy = (paymentMethod: string, licenseType: "basic" | "exclusive" = "basic", userId = api.userId) =>
  placeOrder(checkout, { userId, beatId: beat, licenseType, paymentMethod, run: null, requestId: "test" });
const statusOf = async (id: number) => (await findOrder(db, api.userId, id)).status;
const purchases = () => driver`select id from events where type = 'beat.purchased'`;

/** A webhook call with Stripe's signature. */
function sendWebhook(
  type: string,
  object: unknown,
  { secret = webhookSecret, at = clock.nowMs(), tamper = false } = {},
) {
  const payload = JSON.stringify({ id: "evt_1", object: "event", type, data: { object } });
  const header = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(at / 1000),
  });
  return api.request({
    method: "POST",
    url: "/webhooks/stripe",
    headers: { "content-type": "application/json", "stripe-signature": header },
    payload: tamper ? payload.replace("succeeded", "canceled") : payload,
  });
}

describe("Stripe", () => {
  it("charges on creation, under the order's own key, in cents", async () => {
    const response = await api.request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${api.key}` },
      payload: { beat_id: beat, payment_method: "pm_card_visa" },
    });
    const { order } = response.json().data;
    expect(order).toMatchObject({ status: "completed", amount: 29.9 });
    expect(stripe.intents).toMatchObject([
      { amount: 2990, currency: "usd", metadata: { order_id: String(order.id), payment_key: stripe.keys[0] } },
    ]);
    expect(stripe.keys[0]).toMatch(new RegExp(`^order_${order.id}_`));
  });

  it.each([
    ["pm_card_visa_chargeDeclined", "Your card was declined."],
    ["pm_nonsense", "No such PaymentMethod: 'pm_nonsense'"],
  ])("%s fails with Stripe's reason", async (method, reason) => {
    const order = await buy(method);
    expect(order).toMatchObject({ status: "failed", failure_reason: reason });
    expect(await purchases()).toEqual([]);
  });

  it("tells the buyer that an amount is too small", async () => {
    await driver`update beats set price_cents = 49 where id = ${beat}`;
    expect(await buy("pm_card_visa")).toMatchObject({
      status: "failed",
      failure_reason: "Amount must be at least $0.50 usd",
    });
  });

  it("that charges but times out is queried later: one charge, completed", async () => {
    const order = await buy("pm_lost_card_visa");
    expect(order.status).toBe("pending");
    await reconciler.run();
    expect(await statusOf(order.id)).toBe("completed");
    expect(stripe.intents).toHaveLength(1);
    expect(new Set(stripe.keys).size).toBe(1);
  });

  it("that was unreachable until the order was overdue has charged nothing, and the order says so", async () => {
    const order = await buy("pm_down");
    expect(order.status).toBe("pending");
    expect(stripe.intents).toEqual([]);
    clock.advance(15 * 60_000);
    await reconciler.run();
    expect(await findOrder(db, api.userId, order.id)).toMatchObject({
      status: "failed",
      failure_reason: expect.stringContaining("nothing was charged"),
    });
  });

  it("whose buyer does not confirm in time is canceled", async () => {
    const order = await buy("pm_card_authenticationRequired", "exclusive");
    clock.advance(15 * 60_000);
    await reconciler.run();
    expect(await statusOf(order.id)).toBe("failed");
    expect(stripe.intents[0]?.status).toBe("canceled");
  });

  it("with a payment the bank is processing stays pending, and is refunded if the exclusive is sold by then", async () => {
    const slow = await buy("pm_slow_bank", "exclusive");
    clock.advance(15 * 60_000);
    await reconciler.run();
    expect(await statusOf(slow.id)).toBe("pending");
    const rival = await api.makeKey({ email: "rival@example.com" }).then(async () => {
      const [user] = await driver<{ id: number }[]>`select id from users where email = 'rival@example.com'`;
      return user?.id ?? 0;
    });
    expect((await buy("pm_card_visa", "exclusive", rival)).status).toBe("completed");
    const intent = stripe.intents.find(({ payment_method }) => payment_method === "pm_slow_bank");
    if (intent !== undefined) intent.status = "succeeded";
    await reconciler.run();
    await reconciler.run();
    expect(await statusOf(slow.id)).toBe("failed");
    expect(stripe.refunds).toEqual([intent?.id]);
  });
});

describe("/webhooks/stripe", () => {
  it("settles once, even if called repeatedly and before the charge returns", async () => {
    const order = await buy("pm_card_authenticationRequired");
    const [intent] = stripe.intents;
    const confirmed = { ...intent, status: "succeeded" };
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => sendWebhook("payment_intent.succeeded", confirmed)),
    );
    for (const response of responses) expect(response.statusCode).toBe(200);
    await reconciler.run();
    await sendWebhook("payment_intent.canceled", { ...intent, status: "canceled" });
    expect(await statusOf(order.id)).toBe("completed");
    expect(await purchases()).toHaveLength(1);

    const lost = await buy("pm_lost_card_visa");
    await sendWebhook("payment_intent.succeeded", stripe.intents[1]);
    expect(await statusOf(lost.id)).toBe("completed");
    await reconciler.run();
    expect(await purchases()).toHaveLength(2);
  });

  it("settles failures too", async () => {
    const order = await buy("pm_card_authenticationRequired");
    await sendWebhook("payment_intent.payment_failed", {
      ...stripe.intents[0],
      status: "requires_payment_method",
      last_payment_error: { message: "We are unable to authenticate your payment method." },
    });
    expect(await findOrder(db, api.userId, order.id)).toMatchObject({
      status: "failed",
      failure_reason: "We are unable to authenticate your payment method.",
    });
  });

  it("rejects what Stripe did not sign", async () => {
    const order = await buy("pm_card_authenticationRequired");
    const confirmed = { ...stripe.intents[0], status: "succeeded" };
    const forged = [
      await sendWebhook("payment_intent.succeeded", confirmed, { secret: "whsec_other" }),
      await sendWebhook("payment_intent.succeeded", confirmed, { tamper: true }),
      await sendWebhook("payment_intent.succeeded", confirmed, { at: clock.nowMs() - 301_000 }),
      await api.request({ method: "POST", url: "/webhooks/stripe", payload: { type: "payment_intent.succeeded" } }),
      await api.request({ method: "POST", url: "/webhooks/stripe" }),
    ];
    for (const response of forged) {
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ status: "error", error: { code: "invalid_request" } });
    }
    expect(await statusOf(order.id)).toBe("pending");
  });

  it("ignores a payment of another amount or currency", async () => {
    const order = await buy("pm_card_authenticationRequired");
    const [intent] = stripe.intents;
    for (const wrong of [{ amount: 1 }, { amount_received: 1 }, { currency: "jpy" }])
      expect(
        (await sendWebhook("payment_intent.succeeded", { ...intent, status: "succeeded", ...wrong })).statusCode,
      ).toBe(500);
    expect(await statusOf(order.id)).toBe("pending");
    expect(await purchases()).toEqual([]);
  });

  it("ignores other events and payments of another database", async () => {
    const order = await buy("pm_card_authenticationRequired");
    const [intent] = stripe.intents;
    for (const response of [
      await sendWebhook("customer.created", { id: "cus_1", object: "customer" }),
      await sendWebhook("payment_intent.succeeded", { ...intent, status: "succeeded", metadata: {} }),
      await sendWebhook("payment_intent.succeeded", {
        ...intent,
        status: "succeeded",
        metadata: { order_id: String(order.id), payment_key: `order_${order.id}_elsewhere` },
      }),
    ])
      expect(response.statusCode).toBe(200);
    expect(await statusOf(order.id)).toBe("pending");
  });

  it("is 404 without a webhook secret", async () => {
    const bare = await testApi({ database: api.database, stripe: { ...settings, webhookSecret: undefined } });
    expect((await bare.request({ method: "POST", url: "/webhooks/stripe", payload: {} })).statusCode).toBe(404);
  });
});
