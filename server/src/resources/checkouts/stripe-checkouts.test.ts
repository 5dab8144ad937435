import { beforeEach, describe, expect, it } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { stripeApi } from "../../../test/harness/stripe.ts";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { compareDay } from "../orders/comparison.ts";
import { watchCheckouts } from "./checkout-watch.ts";

// An interrupted payment on Stripe's page charges the buyer once or not at all, and the checkout has the matching
// status.

const shop = await stripeApi();
const { api, clock, stripe, payments, checkout: dependencies, deliver, eventsOf } = shop;
const { driver, query: db } = api.database;
const watch = () => watchCheckouts(dependencies, new CatalogueVersion());

let [one, two] = [0, 0];
beforeEach(async () => {
  await driver`truncate checkouts, ledger_transactions, ledger_entries cascade`;
  [one = 0, two = 0] = await insertBeats(api.database, [{ priceCents: 2990 }, { priceCents: 1990 }]);
});

const post = (fields: object = {}, headers: Record<string, string> = {}) =>
  api.request({
    method: "POST",
    url: "/v1/checkouts",
    headers: { authorization: `Bearer ${api.key}`, ...headers },
    payload: { items: [{ beat_id: one }, { beat_id: two }], email: "buyer@example.com", ...fields },
  });
const open = async (fields: object = {}) => {
  const response = await post(fields);
  expect(response.statusCode).toBe(201);
  return response.json().data.checkout;
};
const get = async (id: number) => (await api.get(`/v1/checkouts/${id}`)).json().data.checkout;
const session = () => [...stripe.account.sessions.keys()].at(-1) ?? "";
const pay = (method = "pm_card_visa") => stripe.account.paySession(session(), method);
const ordersOf = async (id: number) =>
  (await get(id)).orders as { status: string; refunded_amount: number; amount: number }[];

describe("Stripe's hosted Checkout", () => {
  it("opens with the total, the e-mail address and the return URLs, and completes with Stripe's event", async () => {
    const { id, url } = await open();
    expect(url).toBe(`${stripe.url.origin}/c/pay/${session()}`);
    expect(stripe.account.session(session())).toMatchObject({
      amount_total: 4980,
      currency: "usd",
      customer_details: { email: "buyer@example.com" },
      success_url: expect.stringMatching(/\/pay\/checkouts\/checkout_[\w-]{24}\?paid$/),
      cancel_url: expect.stringMatching(/\/basket$/),
    });
    pay();
    expect((await deliver(eventsOf("checkout.session.completed")[0] ?? {})).statusCode).toBe(200);
    expect(await get(id)).toMatchObject({ status: "completed" });
    expect(await ordersOf(id)).toMatchObject([
      { status: "completed", payment_method: "pm_card_visa" },
      { status: "completed" },
    ]);
    expect(shop.chargedCents()).toBe(4980);
  });

  it("settles once if events come repeatedly and in any order", async () => {
    const { id } = await open();
    pay();
    const events = eventsOf("checkout.session.completed", "payment_intent.succeeded").toReversed();
    const responses = await Promise.all([...events, ...events, ...events].map((event) => deliver(event)));
    for (const response of responses) expect(response.statusCode).toBe(200);
    await watch();
    expect(await ordersOf(id)).toHaveLength(2);
    expect(await driver`select id from events where type = 'beat.purchased'`).toHaveLength(2);
  });

  it("completes without a webhook as soon as the buyer returns, or ten minutes later", async () => {
    const first = await open();
    pay();
    const { success_url } = stripe.account.session(session());
    const { pathname, search } = new URL(success_url ?? "");
    expect((await api.request({ method: "GET", url: pathname + search })).body).toContain("The licenses are yours");
    expect((await get(first.id)).status).toBe("completed");
    const second = await open();
    pay();
    clock.advance(10 * 60_000);
    await watch();
    expect((await get(second.id)).status).toBe("completed");
  });

  it("stays open after a declined card", async () => {
    const { id } = await open();
    pay("pm_card_visa_chargeDeclined");
    await deliver(eventsOf("payment_intent.payment_failed")[0] ?? {});
    expect((await get(id)).status).toBe("open");
    expect(shop.chargedCents()).toBe(0);
    pay();
    await deliver(eventsOf("checkout.session.completed")[0] ?? {});
    expect((await get(id)).status).toBe("completed");
  });

  it("expires at Stripe when the hold on an exclusive license ends, and the license is available again", async () => {
    const { id } = await open({ items: [{ beat_id: one, license_type: "exclusive" }] });
    clock.advance(15 * 60_000);
    await watch();
    expect(stripe.account.session(session()).status).toBe("expired");
    expect((await get(id)).status).toBe("expired");
    expect(await driver`select exclusive_state from beats where id = ${one}`).toEqual([
      { exclusive_state: "available" },
    ]);
  });

  it("completes if it was paid just before it expired", async () => {
    const { id } = await open({ items: [{ beat_id: one, license_type: "exclusive" }] });
    pay();
    clock.advance(15 * 60_000);
    await watch();
    expect((await get(id)).status).toBe("completed");
  });

  it("refunds a payment whose item was sold in the meantime, in one amount for each order", async () => {
    const { id } = await open();
    await driver`update beats set exclusive_state = 'sold', exclusive_order_id = 1, is_listed = false where id = ${two}`;
    pay();
    await deliver(eventsOf("checkout.session.completed")[0] ?? {});
    expect(await get(id)).toMatchObject({ status: "cancelled", failure_reason: expect.stringContaining("no longer") });
    for (const order of await ordersOf(id))
      expect(order).toMatchObject({ status: "failed", refunded_amount: order.amount });
    expect([...stripe.account.refunds.values()].reduce((sum, { amount }) => sum + amount, 0)).toBe(4980);
  });

  it("is 503 while Stripe is unreachable; a retry with the same key opens the same checkout", async () => {
    const headers = { "idempotency-key": "open-again" };
    shop.trouble(/sessions$/, "unreachable");
    const refusal = await post({}, headers);
    expect(refusal.statusCode).toBe(503);
    expect(refusal.headers["retry-after"]).toBe("60");
    stripe.trouble = () => null;
    await driver`update idempotency_keys set leased_until = ${new Date(clock.nowMs() - 1)}`;
    expect((await post({}, headers)).statusCode).toBe(201);
    expect(await driver`select id from checkouts`).toHaveLength(1);
    expect(stripe.account.sessions.size).toBe(1);
  });

  it("is 409 for an amount that Stripe refuses, and nothing is held", async () => {
    await driver`update beats set exclusive_price_cents = 40 where id = ${one}`;
    const refusal = await post({ items: [{ beat_id: one, license_type: "exclusive" }] });
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json().error.details).toContain("at least 50 cents");
    expect(await driver`select status from checkouts`).toEqual([{ status: "cancelled" }]);
    expect(await driver`select exclusive_state from beats where id = ${one}`).toEqual([
      { exclusive_state: "available" },
    ]);
  });

  it("creates one session if the response of Stripe is lost", async () => {
    shop.trouble(/sessions$/, "response-lost", 1);
    await open();
    expect(stripe.account.sessions.size).toBe(1);
  });
});

describe("a payment that takes days", () => {
  it("keeps the checkout open until it succeeds, and the checkout expires if it fails", async () => {
    const method = "pm_usBankAccount_processing";
    const first = await open();
    pay(method);
    await deliver(eventsOf("checkout.session.completed")[0] ?? {});
    expect((await get(first.id)).status).toBe("open");
    stripe.account.finishSession(session(), "succeeds");
    await deliver(eventsOf("checkout.session.async_payment_succeeded")[0] ?? {});
    expect((await get(first.id)).status).toBe("completed");
    const second = await open();
    pay(method);
    stripe.account.finishSession(session(), "fails");
    await deliver(eventsOf("checkout.session.async_payment_failed")[0] ?? {});
    expect(await get(second.id)).toMatchObject({ status: "expired", orders: [] });
  });
});

describe("refunds and disputes", () => {
  const paidCheckout = async () => {
    const { id } = await open();
    pay();
    await deliver(eventsOf("checkout.session.completed").at(-1) ?? {});
    return { id, intent: String(stripe.account.session(session()).payment_intent) };
  };

  it("a refund in the dashboard is shared among the orders in proportion to their amounts, once", async () => {
    const { id, intent } = await paidCheckout();
    stripe.account.refund(new URLSearchParams({ payment_intent: intent, amount: "1000" }));
    const [event = {}] = eventsOf("refund.created");
    await Promise.all([deliver(event), deliver(event)]);
    expect((await ordersOf(id)).map(({ refunded_amount }) => refunded_amount)).toEqual([6, 4]);
  });

  it("a lost dispute counts as a full refund of all orders of the payment", async () => {
    const { id, intent } = await paidCheckout();
    const dispute = stripe.account.openDispute(intent);
    stripe.account.closeDispute(dispute.id, "lost");
    for (const event of eventsOf("charge.dispute.created", "charge.dispute.closed")) await deliver(event);
    for (const order of await ordersOf(id)) expect(order.refunded_amount).toBe(order.amount);
    const [sum] = await driver`select sum(amount_cents)::int as cents from ledger_entries`;
    expect(sum).toEqual({ cents: 0 });
  });

  it("the ledger agrees with Stripe's list, payment by payment", async () => {
    const { intent } = await paidCheckout();
    stripe.account.refund(new URLSearchParams({ payment_intent: intent, amount: "1000" }));
    await deliver(eventsOf("refund.created")[0] ?? {});
    const other = await paidCheckout();
    const dispute = stripe.account.openDispute(other.intent);
    stripe.account.closeDispute(dispute.id, "lost");
    for (const event of eventsOf("charge.dispute.created", "charge.dispute.closed")) await deliver(event);
    const day = new Date(Math.floor(clock.nowMs() / 86_400_000) * 86_400_000);
    expect(await compareDay(db, payments, day)).toEqual([]);
  });

  it("a payment that the ledger lacks is reported as one difference", async () => {
    const { intent } = await paidCheckout();
    await driver`truncate ledger_entries, ledger_transactions cascade`;
    const day = new Date(Math.floor(clock.nowMs() / 86_400_000) * 86_400_000);
    expect(await compareDay(db, payments, day)).toMatchObject([
      { kind: "charge", reference: intent, ledger_cents: null, provider_cents: 4980 },
    ]);
  });
});
