import { describe, expect, it } from "vitest";
import { stripeApi } from "../../../../../test/harness/stripe.ts";
import { paymentOf } from "../../checkout.ts";

const shop = await stripeApi();
const { api, clock, stripe, payments, buy, reconcile, orderOf, paidOrderOf } = shop;
const { driver } = api.database;
const purchases = () => driver`select id from events where type = 'beat.purchased'`;
const intents = () => [...stripe.account.intents.values()];
const post = (payload: object) =>
  api.request({ method: "POST", url: "/v1/orders", headers: { authorization: `Bearer ${api.key}` }, payload });

describe("Stripe", () => {
  it("creates an intent with the price in cents, and confirms it", async () => {
    const { order } = (await post({ beat_id: shop.beat, payment_method: "pm_card_visa" })).json().data;
    expect(order).toMatchObject({ status: "completed", amount: 29.9, client_secret: null, next_action: null });
    const [intent, ...others] = intents();
    expect(others).toEqual([]);
    expect(intent).toMatchObject({ amount: 2990, currency: "usd", metadata: { order_id: String(order.id) } });
    expect(stripe.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/payment_intents",
      `POST /v1/payment_intents/${intent?.id}/confirm`,
    ]);
    expect(await paidOrderOf(order.id)).toMatchObject({
      payment_reference: intent?.id,
      payment_key: intent?.metadata.payment_key,
    });
  });

  it.each([
    ["pm_card_visa_chargeDeclined", "Your card was declined."],
    ["pm_nonsense", "No such PaymentMethod: 'pm_nonsense'"],
  ])("%s fails with Stripe's reason", async (method, reason) => {
    const order = await buy(method);
    expect(order).toMatchObject({ status: "failed", failure_reason: reason, client_secret: null });
    expect(await purchases()).toEqual([]);
  });

  it("fails an order with Stripe's reason if the amount is too small", async () => {
    await driver`update beats set price_cents = 49 where id = ${shop.beat}`;
    expect(await buy("pm_card_visa")).toMatchObject({
      status: "failed",
      failure_reason: "Amount must be at least $0.50 usd",
    });
  });

  it("refunds a slow payment if the exclusive license was sold before the payment arrived", async () => {
    const slow = await buy("pm_usBankAccount_processing", { licenseType: "exclusive" });
    expect(slow).toMatchObject({ status: "pending", awaits_buyer: false });
    clock.advance(15 * 60_000);
    await reconcile();
    expect((await orderOf(slow.id)).status).toBe("pending");
    await api.makeKey({ email: "rival@example.com" });
    const [rival] = await driver<{ id: number }[]>`select id from users where email = 'rival@example.com'`;
    const rivalOrder = await buy("pm_card_visa", { licenseType: "exclusive", userId: rival?.id ?? 0 });
    expect(rivalOrder.status).toBe("completed");
    const intent = intents()[0]?.id ?? "";
    stripe.account.finishProcessing(intent);
    await reconcile();
    await reconcile();
    expect((await orderOf(slow.id)).status).toBe("failed");
    expect([...stripe.account.refunds.values()]).toMatchObject([{ payment_intent: intent, amount: 59_800 }]);
  });
});

describe("a payment that the buyer has to approve at the bank", () => {
  it("leaves the order pending, with a client secret and a payment page, until the approval", async () => {
    const { order } = (await post({ beat_id: shop.beat, payment_method: "pm_card_threeDSecure2Required" })).json().data;
    const { payment_key } = await paidOrderOf(order.id);
    const [intent] = intents();
    const url = `https://localhost:8443/pay/${payment_key}`;
    expect(order).toMatchObject({
      status: "pending",
      client_secret: intent?.client_secret,
      next_action: { type: "redirect", url },
    });
    expect(intent?.next_action?.redirect_to_url?.return_url).toBe(url);
    await reconcile();
    expect(intents()).toHaveLength(1);
    stripe.account.authenticate(intent?.id ?? "", "succeeds");
    await shop.deliver(shop.eventsOf("payment_intent.succeeded")[0] ?? {});
    const settled = (await api.get(`/v1/orders/${order.id}`)).json().data.order;
    expect(settled).toMatchObject({ status: "completed", client_secret: null, next_action: null });
    expect(shop.chargedCents()).toBe(2990);
  });

  it("fails the order when the buyer cannot be authenticated", async () => {
    const order = await buy("pm_card_authenticationRequired");
    stripe.account.authenticate(intents()[0]?.id ?? "", "fails");
    await shop.deliver(shop.eventsOf("payment_intent.payment_failed")[0] ?? {});
    expect(await orderOf(order.id)).toMatchObject({
      status: "failed",
      failure_reason: "The provided PaymentMethod has failed authentication.",
      client_secret: null,
    });
  });

  it("is canceled after 15 minutes", async () => {
    const order = await buy("pm_card_authenticationRequired", { licenseType: "exclusive" });
    clock.advance(15 * 60_000);
    await reconcile();
    expect((await orderOf(order.id)).status).toBe("failed");
    expect(intents()[0]?.status).toBe("canceled");
  });
});

describe("an exclusive license", () => {
  const exclusive = (payment_method: string) => post({ beat_id: shop.beat, payment_method, license_type: "exclusive" });
  const countOrdersAndHolds = () =>
    driver`select (select count(*) from orders), (select count(*) from beats where exclusive_state <> 'available')`;

  it.each(["pm_nonsense", "pm_attached"])(
    "is not held for the invalid method %s, which is answered with 400",
    async (method) => {
      const before = await countOrdersAndHolds();
      const response = await exclusive(method);
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details).toMatch(/^payment_method: /);
      expect(await countOrdersAndHolds()).toEqual(before);
      expect(intents()).toEqual([]);
    },
  );

  it("is not held while Stripe is unreachable, and the order is answered with 503", async () => {
    stripe.trouble = () => "unreachable";
    const before = await countOrdersAndHolds();
    const response = await exclusive("pm_card_visa");
    expect(response.statusCode).toBe(503);
    expect(response.headers["retry-after"]).toBe("60");
    expect(await countOrdersAndHolds()).toEqual(before);
  });

  it("is sold with a valid method", async () => {
    expect((await exclusive("pm_card_visa")).json().data.order.status).toBe("completed");
  });
});

describe("refunds", () => {
  const payByMethod = async (method: string) => paymentOf(await paidOrderOf((await buy(method)).id));

  it("have Stripe's state, may be partial, and have one id per key", async () => {
    const payment = await payByMethod("pm_card_visa");
    const first = await payments.refund(payment, { key: "a", amountCents: 990 });
    expect(first).toEqual({
      reference: expect.stringMatching(/^re_/),
      amountCents: 990,
      status: "succeeded",
      reason: null,
    });
    expect(await payments.refund(payment, { key: "a", amountCents: 990 })).toEqual(first);
    const second = await payments.refund(payment, { key: "b", amountCents: 2000 });
    expect(await payments.listRefunds(payment)).toEqual([first, second]);
  });

  it.each([
    [2991, "Refund amount ($29.91) is greater than unrefunded amount on charge ($29.90)"],
    [2990, null],
  ])("of %d cents are made, or fail with Stripe's reason: %j", async (amountCents, reason) => {
    const payment = await payByMethod("pm_card_visa");
    const refund = await payments.refund(payment, { key: "a", amountCents });
    expect(refund).toMatchObject(
      reason === null ? { status: "succeeded" } : { status: "failed", reference: null, reason },
    );
    if (reason !== null) return;
    expect(await payments.refund(payment, { key: "b", amountCents: 1 })).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("has already been refunded"),
    });
  });

  it("are pending until they arrive, and may fail after they have succeeded", async () => {
    const slow = await payByMethod("pm_card_pendingRefund");
    const pending = await payments.refund(slow, { key: "a", amountCents: 100 });
    expect(pending.status).toBe("pending");
    stripe.account.finishRefund(pending.reference ?? "", "succeeds");
    expect(await payments.queryRefund(slow, pending.reference ?? "")).toMatchObject({ status: "succeeded" });

    const bad = await payByMethod("pm_card_refundFail");
    const refund = await payments.refund(bad, { key: "b", amountCents: 2990 });
    expect(refund.status).toBe("succeeded");
    stripe.account.finishRefund(refund.reference ?? "", "fails");
    expect(await payments.queryRefund(bad, refund.reference ?? "")).toMatchObject({
      reference: refund.reference,
      amountCents: 2990,
      status: "failed",
      reason: "Stripe reports: expired_or_canceled_card.",
    });
    await expect(payments.queryRefund(slow, refund.reference ?? "")).rejects.toThrow("is not one of order");
  });

  it("appear in the list if their response was lost", async () => {
    const payment = await payByMethod("pm_card_visa");
    shop.trouble(/refunds/, "response-lost");
    await expect(payments.refund(payment, { key: "a", amountCents: 2990 })).rejects.toThrow();
    stripe.trouble = () => null;
    expect(await payments.listRefunds(payment)).toMatchObject([{ amountCents: 2990, status: "succeeded" }]);
  });
});

describe("disputes", () => {
  it("withdraw the money while they are open, and return it if they are won", async () => {
    const payment = paymentOf(await paidOrderOf((await buy("pm_card_createDispute")).id));
    const [dispute] = stripe.account.disputes.keys();
    const state = () => payments.queryDispute(payment, dispute ?? "");
    const open = { amountCents: 2990, reason: "fraudulent", status: "open", isWithdrawn: true, openedAt: clock.now() };
    expect(await state()).toEqual({ reference: dispute, ...open });
    stripe.account.closeDispute(dispute ?? "", "won");
    expect(await state()).toMatchObject({ status: "won", isWithdrawn: false });

    const other = paymentOf(await paidOrderOf((await buy("pm_card_visa")).id));
    const disputeId = stripe.account.openDispute(other.reference ?? "").id;
    stripe.account.closeDispute(disputeId, "lost");
    expect(await payments.queryDispute(other, disputeId)).toMatchObject({ status: "lost", isWithdrawn: true });
    await expect(payments.queryDispute(payment, disputeId)).rejects.toThrow("is not one of order");
  });
});
