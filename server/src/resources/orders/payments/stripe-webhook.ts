import { invalidRequest } from "../../../errors.ts";
import { jsonResponse } from "../../../http/pipeline/http-response.ts";
import { openRoute } from "../../../http/pipeline/open-route.ts";
import type { Route } from "../../../http/pipeline/route.ts";
import { type Checkout, paymentOf } from "../checkout/checkout.ts";
import { settle } from "../checkout/settle.ts";
import { findOrderByPaymentKey } from "../queries.ts";
import type { StripePayments } from "./stripe.ts";

/** Events have some kilobytes. */
const maxBodyBytes = 250_000;

/**
 * The webhook of Stripe's payment updates. Stripe may send an update twice or out of order: `settle` applies the first
 * final state of an order and ignores later ones.
 */
export const stripeWebhook = ({ stripe, checkout }: { stripe: StripePayments; checkout: Checkout }): Route =>
  openRoute(
    "/webhooks/stripe",
    async ({ requestHeaders, body }) => {
      const signature = String(requestHeaders["stripe-signature"]);
      const report = readOrRefuse(() => stripe.readWebhook(body ?? Buffer.alloc(0), signature, checkout.clock.nowMs()));
      const order = report === null ? undefined : await findOrderByPaymentKey(checkout.db, report.paymentKey);
      if (report !== null && order !== undefined) await settle(checkout, order.id, report.stateOf(paymentOf(order)));
      return jsonResponse('{"received":true}');
    },
    { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } },
  );

function readOrRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw invalidRequest("The Stripe-Signature header is missing, too old, or not of this body.", "Stripe-Signature");
  }
}
