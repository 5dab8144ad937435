import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { stripeApi } from "../../../../test/harness/stripe.ts";
import { registerPendingPayments } from "../../../metrics/shop-metrics.ts";
import { requestRefund } from "../refunds/request-refund.ts";
import { PendingPaymentsWatch } from "./reconciler.ts";

const shop = await stripeApi();
const { api, clock } = shop;

test("the metrics show the number of pending orders and refunds, and the age of the oldest", async () => {
  const watch = new PendingPaymentsWatch();
  const registry = new Registry();
  registerPendingPayments(watch, registry);
  const shown = async () => {
    await watch.measure(api.database.query, clock.now());
    const text = await registry.metrics();
    return ["orders", "refunds"].map((kind) =>
      ["pending", "pending_oldest_seconds"].map((name) =>
        Number(new RegExp(`^beatmarket_payments_${name}\\{of="${kind}"\\} (.+)$`, "m").exec(text)?.[1]),
      ),
    );
  };
  const paid = await shop.buy("pm_card_visa");
  const none = [0, 0];
  expect(await shown()).toEqual([none, none]);
  await shop.buy("pm_card_authenticationRequired");
  clock.advance(60_000);
  await shop.buy("pm_card_authenticationRequired");
  shop.trouble(/refunds$/, "unreachable");
  await requestRefund(shop.checkout, paid.id, { amountCents: null, origin: "operator" });
  clock.advance(1_000);
  expect(await shown()).toEqual([
    [2, 61],
    [1, 1],
  ]);
});
