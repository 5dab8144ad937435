import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import { StripePayments } from "@beatmarket/payments/stripe/stripe.ts";
import { type StripeTrouble, startStripeServer } from "@beatmarket/payments/testing/stripe-server.ts";
import pino from "pino";
import Stripe from "stripe";
import { afterAll, beforeEach } from "vitest";
import { CatalogueVersion } from "../../src/database/catalogue/catalogue-version.ts";
import { placeOrder } from "../../src/resources/orders/checkout/place-order.ts";
import { Reconciler } from "../../src/resources/orders/checkout/reconciler.ts";
import type { CheckoutDependencies } from "../../src/resources/orders/checkout.ts";
import { findOrder, selectOrdersWithPayment } from "../../src/resources/orders/queries.ts";
import { testApi } from "./api.ts";
import { insertBeats } from "./database/catalogue.ts";

// The package would wait half a second before its own retry.
Object.assign(Stripe.prototype, { getInitialNetworkRetryDelay: () => 0 });

/** An API that charges through the test file's own Stripe server, with one beat for $29.90 in each test. */
export async function stripeApi() {
  const clock = new FakeClock();
  const stripe = await startStripeServer({ nowMs: () => clock.nowMs() });
  afterAll(() => stripe.close());
  const webhookSecret = "whsec_test";
  const settings = { secretKey: "sk_test_1", webhookSecret, apiBase: stripe.url };
  const api = await testApi({ clock, stripe: settings });
  const { query: db, driver } = api.database;
  const payments = new StripePayments(settings);
  const checkout: CheckoutDependencies = {
    db,
    clock,
    log: pino({ level: "silent" }),
    payments: [payments],
    currency: "USD",
    commissionBasisPoints: 0,
    seller: null,
    publicUrl: "https://beats.example",
    termsVersion: builtInTerms.version,
  };
  const catalogue = new CatalogueVersion();
  let beat = 0;
  beforeEach(async () => {
    await driver`truncate orders, events cascade`;
    stripe.reset();
    [beat = 0] = await insertBeats(api.database, [{ priceCents: 2990 }]);
  });
  return {
    api,
    clock,
    stripe,
    payments,
    checkout,
    get beat() {
      return beat;
    },
    buy: (
      paymentMethod: string,
      { licenseType = "basic", userId = api.userId, run = null }: Partial<BuyOptions> = {},
    ) => placeOrder(checkout, { userId, beatId: beat, licenseType, paymentMethod, run, requestId: "test" }),
    /** Runs the reconciler of another instance. Each run begins at the first order. */
    reconcile: () => new Reconciler(checkout, catalogue).run(),
    orderOf: (id: number) => findOrder(db, api.userId, id),
    paidOrderOf: (id: number) => selectOrdersWithPayment(db).where("id", "=", id).executeTakeFirstOrThrow(),
    /** The amount that the buyer was charged, in cents. */
    chargedCents: () => [...stripe.account.charges.values()].reduce((sum, { amount }) => sum + amount, 0),
    /** Sends one of Stripe's events, as its webhook does. */
    deliver(event: object, { secret = webhookSecret, atMs = clock.nowMs(), tamper = (text: string) => text } = {}) {
      const { payload, signature } = stripe.signed(event, { secret, atMs });
      return api.request({
        method: "POST",
        url: "/webhooks/stripe",
        headers: { "content-type": "application/json", "stripe-signature": signature },
        payload: tamper(payload),
      });
    },
    /** Events of these types, oldest first. */
    eventsOf: (...types: string[]) => stripe.account.events.filter(({ type }) => types.includes(type)),
    /** Makes POST calls with a matching path fail: `times` times, by default always. */
    trouble(path: RegExp, kind: StripeTrouble, times = Number.POSITIVE_INFINITY) {
      let remaining = times;
      stripe.trouble = (call) => (call.method === "POST" && path.test(call.path) && remaining-- > 0 ? kind : null);
    },
  };
}

interface BuyOptions {
  licenseType: "basic" | "exclusive";
  userId: number;
  run: string | null;
}
