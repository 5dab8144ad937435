import type { StripePayments } from "@beatmarket/payments/stripe/stripe.ts";
import { describe, expect, it } from "vitest";
import { stripeApi } from "../../../../../test/harness/stripe.ts";
import { charge } from "../../checkout/charge.ts";

// A purchase that is interrupted at any step charges its buyer once or never, and the order is completed only if the
// buyer was charged.

const shop = await stripeApi();
const { clock, stripe, payments, checkout, buy, reconcile, orderOf, paidOrderOf } = shop;
const { driver } = shop.api.database;
const create = /payment_intents$/;
const confirm = /confirm$/;
const countConfirmations = () => stripe.calls.filter(({ path }) => confirm.test(path)).length;

describe.each([
  ["the creation", create],
  ["the confirmation", confirm],
])("%s", (_step, path) => {
  it.each([
    ["never arrives", "unreachable"],
    ["loses its response", "response-lost"],
    ["fails with a 500 that Stripe repeats for the same key", "fails"],
    ["is carried out and fails with such a 500", "fails-after"],
  ] as const)("that %s is finished by the reconciler with one charge", async (_what, trouble) => {
    shop.trouble(path, trouble);
    const order = await buy("pm_card_visa");
    expect(order.status).toBe("pending");
    stripe.trouble = () => null;
    await reconcile();
    expect(await orderOf(order.id)).toMatchObject({ status: "completed", client_secret: null });
    expect(shop.chargedCents()).toBe(2990);
  });

  it.each(["unreachable", "response-lost", "fails", "fails-after"] as const)(
    "that fails once (%s) is repeated, by the reconciler at the latest, and charges once",
    async (trouble) => {
      shop.trouble(path, trouble, 1);
      const order = await buy("pm_card_visa");
      if (order.status === "pending") await reconcile();
      expect((await orderOf(order.id)).status).toBe("completed");
      expect(shop.chargedCents()).toBe(2990);
    },
  );

  it("that has not arrived when the order is overdue never charges", async () => {
    shop.trouble(path, "unreachable");
    const order = await buy("pm_card_visa");
    clock.advance(15 * 60_000);
    stripe.trouble = () => null;
    await reconcile();
    await reconcile();
    expect((await orderOf(order.id)).status).toBe("failed");
    expect(shop.chargedCents()).toBe(0);
  });

  it("with a lost response is settled by its outcome, even after the order is overdue", async () => {
    shop.trouble(path, "response-lost");
    const order = await buy("pm_card_visa");
    clock.advance(15 * 60_000);
    stripe.trouble = () => null;
    await reconcile();
    expect((await orderOf(order.id)).status).toBe(path === confirm ? "completed" : "failed");
    expect(shop.chargedCents()).toBe(path === confirm ? 2990 : 0);
  });

  it("with a lost response leads to one decline of a bad card, even with two reconcilers", async () => {
    shop.trouble(path, "response-lost");
    const order = await buy("pm_card_visa_chargeDeclined");
    stripe.trouble = () => null;
    await Promise.all([reconcile(), reconcile()]);
    expect(await orderOf(order.id)).toMatchObject({ status: "failed", failure_reason: "Your card was declined." });
    expect(shop.eventsOf("payment_intent.payment_failed")).toHaveLength(1);
  });
});

describe("a process that crashes", () => {
  class Crash extends Error {}

  /** Places an order. Throws right after one step at the provider, as if the process crashed. */
  const crashAfter = async (step: "create" | "confirm") => {
    const crashingProvider = new Proxy(payments, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          const result = await Reflect.apply(value, target, args);
          if (name === step) throw new Crash();
          return result;
        };
      },
    }) as StripePayments;
    const { payments: _, ...rest } = checkout;
    const { placeOrder } = await import("../../checkout/place-order.ts");
    return placeOrder(
      { ...rest, payments: [crashingProvider] },
      {
        userId: shop.api.userId,
        beatId: shop.beat,
        licenseType: "basic",
        paymentMethod: "pm_card_visa",
        run: null,
        requestId: "test",
      },
    );
  };

  it.each(["create", "confirm"] as const)("after the call to %s does not prevent the one charge", async (step) => {
    const order = await crashAfter(step);
    expect(order.status).toBe("pending");
    await reconcile();
    expect((await orderOf(order.id)).status).toBe("completed");
    expect(shop.chargedCents()).toBe(2990);
  });

  it("after it has stored the reference does not prevent the confirmation, which happens once", async () => {
    shop.trouble(confirm, "unreachable");
    const order = await buy("pm_card_visa");
    stripe.trouble = () => null;
    expect((await paidOrderOf(order.id)).payment_reference).toBe([...stripe.account.intents.keys()][0]);
    await reconcile();
    await reconcile();
    expect((await orderOf(order.id)).status).toBe("completed");
    expect(stripe.account.intents.size).toBe(1);
    expect(shop.chargedCents()).toBe(2990);
  });
});

describe("several concurrent processes", () => {
  it("charge an order once if they all finish it", async () => {
    shop.trouble(create, "unreachable");
    const { id } = await buy("pm_card_visa");
    // The confirmation is sent again, because the response to the first one is lost.
    shop.trouble(confirm, "response-lost", 1);
    const order = await paidOrderOf(id);
    await Promise.all(Array.from({ length: 8 }, () => charge(checkout, order, "later")));
    expect((await orderOf(id)).status).toBe("completed");
    expect(shop.chargedCents()).toBe(2990);
    expect(countConfirmations()).toBeGreaterThan(1);
  });

  it("charge once if they run one request at the same time as the reconciler", async () => {
    const run = crypto.randomUUID();
    const orders = await Promise.all([
      ...Array.from({ length: 6 }, () => buy("pm_card_visa", { run })),
      reconcile().then(() => buy("pm_card_visa", { run })),
    ]);
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
    expect(shop.chargedCents()).toBe(2990);
    expect(await driver`select id from events where type = 'beat.purchased'`).toHaveLength(1);
  });

  it("charge once if one is an older instance, which charges when it creates the payment", async () => {
    shop.trouble(create, "unreachable");
    const { id } = await buy("pm_card_visa");
    stripe.trouble = () => null;
    const { payment_key } = await paidOrderOf(id);
    /** The request of older instances, which did not confirm payments separately. */
    const chargeLikeOlderInstance = () =>
      fetch(new URL("/v1/payment_intents", stripe.url), {
        method: "POST",
        headers: { authorization: "Bearer sk_test_1", "idempotency-key": payment_key },
        body: new URLSearchParams({
          amount: "2990",
          currency: "usd",
          payment_method: "pm_card_visa",
          confirm: "true",
          "automatic_payment_methods[enabled]": "true",
          "automatic_payment_methods[allow_redirects]": "never",
          description: `Order ${id}`,
          "metadata[order_id]": String(id),
          "metadata[payment_key]": payment_key,
        }),
      });
    // The older instance charges first, and this instance finds the charge.
    expect((await chargeLikeOlderInstance()).status).toBe(200);
    await reconcile();
    expect((await orderOf(id)).status).toBe("completed");
    expect(shop.chargedCents()).toBe(2990);
    // This instance creates the payment first, and the older instance can no longer charge.
    const order = await paidOrderOf((await buy("pm_card_authenticationRequired")).id);
    const refusal = await fetch(new URL("/v1/payment_intents", stripe.url), {
      method: "POST",
      headers: { authorization: "Bearer sk_test_1", "idempotency-key": order.payment_key },
      body: new URLSearchParams({ amount: "2990", currency: "usd", payment_method: "pm_card_visa", confirm: "true" }),
    });
    expect(await refusal.json()).toMatchObject({ error: { type: "idempotency_error" } });
    expect(shop.chargedCents()).toBe(2990);
  });
});
