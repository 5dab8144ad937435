import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { jsonResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { inPaymentSpan } from "../../checkout/charge.ts";
import { paymentOf, type SettlementDependencies } from "../../checkout.ts";
import { findOrderByPaymentKey, findOrderByPaymentReference } from "../../queries.ts";
import { disputeReported, refundReported } from "../../refunds/reported.ts";
import { settle } from "../../settle.ts";
import type { PaymentNotice } from "./notices.ts";
import type { StripePayments } from "./stripe.ts";

/** Events have some kilobytes. */
const maxBodyBytes = 250_000;

interface StripeWebhook {
  stripe: StripePayments;
  checkout: SettlementDependencies;
}

/**
 * The webhook of Stripe's events. Stripe may send one twice or out of order, so each is a hint to read the object again;
 * `settle` applies the first final state of an order and ignores later ones.
 */
export const stripeWebhook = ({ stripe, checkout }: StripeWebhook): Route =>
  openRoute(
    "/webhooks/stripe",
    async ({ requestHeaders, body }) => {
      const signature = String(requestHeaders["stripe-signature"]);
      const notice = readOrRefuse(() => stripe.readWebhook(body ?? Buffer.alloc(0), signature, checkout.clock.nowMs()));
      if (notice?.kind === "payment") await settlePayment({ stripe, checkout }, notice);
      else if (notice !== null) await applyReport({ stripe, checkout }, notice);
      return jsonResponse('{"received":true}');
    },
    { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } },
  );

async function settlePayment(
  { stripe, checkout }: StripeWebhook,
  { paymentKey, paymentReference }: PaymentNotice & { kind: "payment" },
): Promise<void> {
  const order = await findOrderByPaymentKey(checkout.db, paymentKey);
  if (order === undefined) return;
  await inPaymentSpan(order, async () => {
    const state = await stripe.query({ ...paymentOf(order), reference: paymentReference });
    // A second payment of the order, begun when the response to the first was lost, decides nothing unless it was paid.
    if (state === null || (state.status !== "succeeded" && paymentReference !== order.payment_reference)) return;
    await settle(checkout, order.id, state);
  });
}

async function applyReport(
  { stripe, checkout }: StripeWebhook,
  notice: Exclude<PaymentNotice, { kind: "payment" }>,
): Promise<void> {
  const order = await findOrderByPaymentReference(checkout.db, stripe.name, notice.paymentReference);
  if (order === undefined) return;
  const payment = paymentOf(order);
  await inPaymentSpan(order, async () => {
    if (notice.kind === "refund")
      await refundReported(checkout, { order, state: await stripe.queryRefund(payment, notice.refundReference) });
    else await disputeReported(checkout, { order, state: await stripe.queryDispute(payment, notice.disputeReference) });
  });
}

function readOrRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw invalidRequest("The Stripe-Signature header is missing, too old, or not of this body.", "Stripe-Signature");
  }
}
