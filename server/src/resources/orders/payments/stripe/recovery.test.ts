import type { StripePayments } from "@beatmarket/payments/stripe/stripe.ts";
import { describe, expect, it } from "vitest";
import { stripeApi } from "../../../../../test/harness/stripe.ts";
import { charge } from "../../checkout/charge.ts";

// A purchase that is interrupted at any step charges its buyer once or not at all, and the order records which.

const shop = await stripeApi();
const { clock, stripe, payments, checkout, buy, reconcile, orderOf, paidOrderOf } = shop;
const { driver } = shop.api.database;
const create = /payment_intents$/;
const confirm = /confirm$/;
const confirmed = () => stripe.calls.filter(({ path }) => confirm.test(path)).length;

describe.each([
  ["the creation", create],
  ["the confirmation", confirm],
])("%s", (_step, path) => {
  it.each([
    ["never arrives", "unreachable"],
    ["loses its response", "response-lost"],
    ["fails with a 500 that Stripe repeats under its key", "fails"],
    ["is carried out and fails with such a 500", "fails-after"],
  ] as const)("that %s is finished by the reconciler: one charge", async (_what, trouble) => {
    shop.trouble(path, trouble);
    const order = await buy("pm_card_visa");
    expect(order.status).toBe("pending");
    stripe.trouble = () => null;
    await reconcile();
    expect(await orderOf(order.id)).toMatchObject({ status: "completed", client_secret: null });
    expect(shop.chargedCents()).toBe(2990);
  });

  it.each(["unreachable", "response-lost", "fails", "fails-after"] as const)(
    "that fails once (%s) is repeated immediately: one charge, completed",
    async (trouble) => {
      shop.trouble(path, trouble, 1);
      const order = await buy("pm_card_visa");
      if (order.status === "pending") await reconcile();
      expect((await orderOf(order.id)).status).toBe("completed");
      expect(shop.chargedCents()).toBe(2990);
    },
  );

  it("that never arrives until the order is overdue charges nothing, neither then nor later", async () => {
    shop.trouble(path, "unreachable");
    const order = await buy("pm_card_visa");
    clock.advance(15 * 60_000);
    stripe.trouble = () => null;
    await reconcile();
    await reconcile();
    expect((await orderOf(order.id)).status).toBe("failed");
    expect(shop.chargedCents()).toBe(0);
  });

  it("that is carried out, whose response is lost until the order is overdue, is settled by its outcome", async () => {
    shop.trouble(path, "response-lost");
    const order = await buy("pm_card_visa");
    clock.advance(15 * 60_000);
    stripe.trouble = () => null;
    await reconcile();
    expect((await orderOf(order.id)).status).toBe(path === confirm ? "completed" : "failed");
    expect(shop.chargedCents()).toBe(path === confirm ? 2990 : 0);
  });

  it("that is declined once is not tried again", async () => {
    shop.trouble(path, "response-lost");
    const order = await buy("pm_card_visa_chargeDeclined");
    stripe.trouble = () => null;
    await Promise.all([reconcile(), reconcile()]);
    expect(await orderOf(order.id)).toMatchObject({ status: "failed", failure_reason: "Your card was declined." });
    expect(shop.eventsOf("payment_intent.payment_failed")).toHaveLength(1);
  });
});

describe("a process that ends", () => {
  class Crash extends Error {}

  /** Ends the purchase right after one step at the provider, like a kill. */
  const crashBehind = async (step: "create" | "confirm") => {
    const dying = new Proxy(payments, {
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
      { ...rest, payments: [dying] },
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

  it.each(["create", "confirm"] as const)("after the call to %s leaves an order that is charged once", async (step) => {
    const order = await crashBehind(step);
    expect(order.status).toBe("pending");
    await reconcile();
    expect((await orderOf(order.id)).status).toBe("completed");
    expect(shop.chargedCents()).toBe(2990);
  });

  it("right after it stored the reference leaves an order that is confirmed, once", async () => {
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
  it("that finish one order charge it once", async () => {
    shop.trouble(create, "unreachable");
    const { id } = await buy("pm_card_visa");
    // So the confirmation is sent again, whichever process comes first.
    shop.trouble(confirm, "response-lost", 1);
    const order = await paidOrderOf(id);
    await Promise.all(Array.from({ length: 8 }, () => charge(checkout, order, "later")));
    expect((await orderOf(id)).status).toBe("completed");
    expect(shop.chargedCents()).toBe(2990);
    expect(confirmed()).toBeGreaterThan(1);
  });

  it("that run one request, and the reconciler, charge it once", async () => {
    const run = crypto.randomUUID();
    const orders = await Promise.all([
      ...Array.from({ length: 6 }, () => buy("pm_card_visa", { run })),
      reconcile().then(() => buy("pm_card_visa", { run })),
    ]);
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
    expect(shop.chargedCents()).toBe(2990);
    expect(await driver`select id from events where type = 'beat.purchased'`).toHaveLength(1);
  });

  it("an older instance that charges when it creates the payment, and this one, charge once", async () => {
    shop.trouble(create, "unreachable");
    const { id } = await buy("pm_card_visa");
    stripe.trouble = () => null;
    const { payment_key } = await paidOrderOf(id);
    /** The request of older instances, which did not confirm payments separately. */
    const chargeAsBefore = () =>
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
    // The older instance is first: this one finds its charge.
    expect((await chargeAsBefore()).status).toBe(200);
    await reconcile();
    expect((await orderOf(id)).status).toBe("completed");
    expect(shop.chargedCents()).toBe(2990);
    // This instance is first: the older one can no longer charge.
    const mine = await paidOrderOf((await buy("pm_card_authenticationRequired")).id);
    const refused = await fetch(new URL("/v1/payment_intents", stripe.url), {
      method: "POST",
      headers: { authorization: "Bearer sk_test_1", "idempotency-key": mine.payment_key },
      body: new URLSearchParams({ amount: "2990", currency: "usd", payment_method: "pm_card_visa", confirm: "true" }),
    });
    expect(await refused.json()).toMatchObject({ error: { type: "idempotency_error" } });
    expect(shop.chargedCents()).toBe(2990);
  });
});
