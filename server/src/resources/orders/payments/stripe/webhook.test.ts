import { describe, expect, it } from "vitest";
import { testApi } from "../../../../../test/harness/api.ts";
import { stripeApi } from "../../../../../test/harness/stripe.ts";

const shop = await stripeApi();
const { api, clock, stripe, payments, buy, reconcile, orderOf, paidOrderOf, deliver, eventsOf } = shop;
const { driver } = api.database;
const purchases = () => driver`select id from events where type = 'beat.purchased'`;
const onlyIntent = () => [...stripe.account.intents.values()][0]?.id ?? "";
const paymentSucceeded = () => eventsOf("payment_intent.succeeded")[0] ?? {};

describe("/webhooks/stripe", () => {
  it("settles an order once for repeated events in any sequence", async () => {
    const order = await buy("pm_card_authenticationRequired");
    stripe.account.authenticate(onlyIntent(), "succeeds");
    const responses = await Promise.all(Array.from({ length: 10 }, () => deliver(paymentSucceeded())));
    for (const response of responses) expect(response.statusCode).toBe(200);
    await reconcile();
    await deliver({ ...paymentSucceeded(), type: "payment_intent.payment_failed" });
    await deliver({ ...paymentSucceeded(), type: "payment_intent.canceled" });
    expect((await orderOf(order.id)).status).toBe("completed");
    expect(await purchases()).toHaveLength(1);
  });

  it("reads Stripe's current state instead of the content of an event", async () => {
    const order = await buy("pm_card_authenticationRequired");
    await deliver({ ...eventsOf("payment_intent.requires_action")[0], type: "payment_intent.succeeded" });
    expect((await orderOf(order.id)).status).toBe("pending");
    stripe.account.authenticate(onlyIntent(), "succeeds");
    await deliver({ ...eventsOf("payment_intent.requires_action")[0], type: "payment_intent.payment_failed" });
    expect((await orderOf(order.id)).status).toBe("completed");
  });

  it("settles an order whose confirmation had no response", async () => {
    shop.trouble(/confirm$/, "response-lost");
    const order = await buy("pm_card_visa");
    stripe.trouble = () => null;
    expect(order.status).toBe("pending");
    await deliver(paymentSucceeded());
    expect((await orderOf(order.id)).status).toBe("completed");
  });

  it("ignores the cancellation of an order's second intent", async () => {
    const order = await buy("pm_card_authenticationRequired");
    const { payment_key } = await paidOrderOf(order.id);
    const other = stripe.account.createIntent(
      new URLSearchParams({
        amount: "2990",
        currency: "usd",
        payment_method: "pm_card_visa",
        "metadata[payment_key]": payment_key,
      }),
    );
    stripe.account.cancelIntent(other.id);
    expect((await deliver(eventsOf("payment_intent.canceled")[0] ?? {})).statusCode).toBe(200);
    expect((await orderOf(order.id)).status).toBe("pending");
  });

  it("rejects events without Stripe's signature, and signatures older than five minutes", async () => {
    const order = await buy("pm_card_authenticationRequired");
    stripe.account.authenticate(onlyIntent(), "succeeds");
    const forged = [
      await deliver(paymentSucceeded(), { secret: "whsec_other" }),
      await deliver(paymentSucceeded(), { tamper: (text) => text.replace("succeeded", "canceled") }),
      await deliver(paymentSucceeded(), { atMs: clock.nowMs() - 301_000 }),
      await api.request({ method: "POST", url: "/webhooks/stripe", payload: { type: "payment_intent.succeeded" } }),
      await api.request({ method: "POST", url: "/webhooks/stripe" }),
    ];
    for (const response of forged) {
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ status: "error", error: { code: "invalid_request" } });
    }
    expect((await orderOf(order.id)).status).toBe("pending");
    expect((await deliver(paymentSucceeded(), { atMs: clock.nowMs() - 299_000 })).statusCode).toBe(200);
  });

  it.each([{ amount_received: 1 }, { currency: "jpy" }])(
    "answers 500 for a payment with the wrong %j",
    async (wrong) => {
      const order = await buy("pm_card_authenticationRequired");
      stripe.account.authenticate(onlyIntent(), "succeeds");
      Object.assign(stripe.account.intent(onlyIntent()), wrong);
      expect((await deliver(paymentSucceeded())).statusCode).toBe(500);
      expect((await orderOf(order.id)).status).toBe("pending");
      expect(await purchases()).toEqual([]);
    },
  );

  it("answers 500 while Stripe is unreachable, so that Stripe sends the event again", async () => {
    const order = await buy("pm_card_authenticationRequired");
    stripe.account.authenticate(onlyIntent(), "succeeds");
    stripe.trouble = () => "unreachable";
    expect((await deliver(paymentSucceeded())).statusCode).toBe(500);
    stripe.trouble = () => null;
    expect((await deliver(paymentSucceeded())).statusCode).toBe(200);
    expect((await orderOf(order.id)).status).toBe("completed");
  });

  it("ignores other events and payments of another database", async () => {
    const order = await buy("pm_card_authenticationRequired");
    const id = onlyIntent();
    const event = (type: string, object: object) => ({ id: "evt_1", object: "event", type, data: { object } });
    for (const response of [
      await deliver(event("customer.created", { id: "cus_1", object: "customer" })),
      await deliver(event("payment_intent.succeeded", { id, metadata: {} })),
      await deliver(
        event("payment_intent.succeeded", { id, metadata: { payment_key: `order_${order.id}_elsewhere` } }),
      ),
    ])
      expect(response.statusCode).toBe(200);
    expect((await orderOf(order.id)).status).toBe("pending");
  });

  it("answers 404 without a webhook secret", async () => {
    const settings = { secretKey: "sk_test_1", webhookSecret: undefined, apiBase: stripe.url };
    const apiWithoutWebhook = await testApi({ database: api.database, stripe: settings });
    expect((await apiWithoutWebhook.request({ method: "POST", url: "/webhooks/stripe", payload: {} })).statusCode).toBe(
      404,
    );
  });
});

describe("returned money", () => {
  it("from the dashboard is added to the order's refunded amount once, for events in any sequence", async () => {
    const { id } = await buy("pm_card_visa");
    stripe.account.refund(new URLSearchParams({ payment_intent: onlyIntent(), amount: "990" }));
    stripe.account.refund(new URLSearchParams({ payment_intent: onlyIntent() }));
    const events = eventsOf("refund.created").toReversed();
    for (const event of [...events, ...events]) expect((await deliver(event)).statusCode).toBe(200);
    expect(await orderOf(id)).toMatchObject({ status: "completed", refunded_cents: 2990 });
  });

  it("from a dispute is added to the order's refunded amount when the dispute is lost", async () => {
    const { id } = await buy("pm_card_createDispute");
    const [dispute = ""] = stripe.account.disputes.keys();
    await deliver(eventsOf("charge.dispute.created")[0] ?? {});
    expect((await orderOf(id)).refunded_cents).toBe(0);
    stripe.account.closeDispute(dispute, "lost");
    expect((await deliver(eventsOf("charge.dispute.closed")[0] ?? {})).statusCode).toBe(200);
    expect((await orderOf(id)).refunded_cents).toBe(2990);
  });
});

describe("a notice", () => {
  const readEvent = (event: object) => {
    const { payload, signature } = stripe.signed(event, { secret: "whsec_test", atMs: clock.nowMs() });
    return payments.readWebhook(Buffer.from(payload), signature, clock.nowMs());
  };

  it("contains its payment and refund", async () => {
    await buy("pm_card_refundFail");
    const { id } = stripe.account.refund(new URLSearchParams({ payment_intent: onlyIntent() }));
    stripe.account.finishRefund(id, "fails");
    const notices = eventsOf("refund.created", "refund.failed").map(readEvent);
    expect(notices).toEqual(Array(2).fill({ kind: "refund", paymentReference: onlyIntent(), refundReference: id }));
    // charge.refunded contains no refund. Stripe sends refund.created too.
    expect(eventsOf("charge.refunded").map(readEvent)).toEqual([null]);
  });

  it("contains its payment and dispute", async () => {
    await buy("pm_card_createDispute");
    const [id = ""] = stripe.account.disputes.keys();
    stripe.account.closeDispute(id, "won");
    const disputes = stripe.account.events.filter(({ type }) => type.startsWith("charge.dispute"));
    expect(disputes.map(({ type }) => type)).toEqual([
      "charge.dispute.created",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.funds_reinstated",
      "charge.dispute.closed",
    ]);
    const notice = { kind: "dispute", paymentReference: onlyIntent(), disputeReference: id };
    expect(disputes.map(readEvent)).toEqual(Array(4).fill(notice));
  });
});
