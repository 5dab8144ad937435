import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { sharesOf } from "@beatmarket/foundation/shares.ts";
import { jsonResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { DisputeState } from "@beatmarket/payments/provider.ts";
import { shareReference } from "@beatmarket/payments/provider.ts";
import type { PaymentNotice } from "@beatmarket/payments/stripe/notices.ts";
import type { ReportedRefund, StripePayments } from "@beatmarket/payments/stripe/stripe.ts";
import { inPaymentSpan } from "../../checkout/charge.ts";
import { paymentOf, type SettlementDependencies } from "../../checkout.ts";
import type { OrderWithPayment } from "../../order.ts";
import { findOrderByPaymentKey, findOrdersByPaymentReference } from "../../queries.ts";
import { disputeReported, refundReported } from "../../refunds/reported.ts";
import { settle } from "../../settle.ts";

/** More than enough, because an event has a few kilobytes. */
const maxBodyBytes = 250_000;

interface StripeWebhook {
  stripe: StripePayments;
  settlement: SettlementDependencies;
  /**
   * Settles the checkout of a payment key by the current state of its page at Stripe. Does nothing for a checkout of
   * another database.
   */
  settleCheckout: (checkoutKey: string) => Promise<void>;
}

/**
 * The webhook for Stripe's events. Stripe may send an event twice, and may send events out of sequence. So the webhook
 * reads the current object from Stripe for each event. `settle` applies the first final state of an order and ignores
 * later states.
 */
export const stripeWebhook = (parts: StripeWebhook): Route =>
  openRoute(
    "/webhooks/stripe",
    async ({ requestHeaders, body }) => {
      const { stripe, settlement } = parts;
      const signature = String(requestHeaders["stripe-signature"]);
      const notice = readOrThrow(() =>
        stripe.readWebhook(body ?? Buffer.alloc(0), signature, settlement.clock.nowMs()),
      );
      if (notice?.kind === "page" || (notice?.kind === "payment" && isCheckoutKey(notice.paymentKey)))
        await parts.settleCheckout(notice.paymentKey);
      else if (notice?.kind === "payment") await settlePayment(parts, notice);
      else if (notice !== null) await applyReport(parts, notice);
      return jsonResponse('{"received":true}');
    },
    { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } },
  );

/** Whether the key of a payment belongs to a checkout. The other keys belong to orders. */
const isCheckoutKey = (key: string): boolean => key.startsWith("checkout_");

async function settlePayment(
  { stripe, settlement }: StripeWebhook,
  { paymentKey, paymentReference }: PaymentNotice & { kind: "payment" },
): Promise<void> {
  const order = await findOrderByPaymentKey(settlement.db, paymentKey);
  if (order === undefined) return;
  await inPaymentSpan(order, async () => {
    const state = await stripe.query({ ...paymentOf(order), reference: paymentReference });
    // An order has a second payment if the response to the first was lost. The second payment counts only if it
    // succeeded.
    if (state === null || (state.status !== "succeeded" && paymentReference !== order.payment_reference)) return;
    await settle(settlement, order.id, state);
  });
}

async function applyReport(
  { stripe, settlement }: StripeWebhook,
  notice: PaymentNotice & { kind: "refund" | "dispute" },
): Promise<void> {
  const orders = await findOrdersByPaymentReference(settlement.db, stripe.name, notice.paymentReference);
  const [first] = orders;
  if (first === undefined) return;
  await inPaymentSpan(first, async () => {
    const payment = paymentOf(first);
    if (notice.kind === "refund")
      await applyRefund(settlement, orders, await stripe.queryRefund(payment, notice.refundReference));
    else await applyDispute(settlement, orders, await stripe.queryDispute(payment, notice.disputeReference));
  });
}

/**
 * Applies a refund. If orders share the payment, our own refund belongs to one order, and a refund from the dashboard
 * is divided among the orders.
 */
async function applyRefund(
  settlement: SettlementDependencies,
  orders: readonly OrderWithPayment[],
  state: ReportedRefund,
): Promise<void> {
  const { reference, amountCents, paymentKey } = state;
  if (reference === null) return;
  const order = orders.length === 1 ? orders[0] : orders.find(({ payment_key }) => payment_key === paymentKey);
  if (order !== undefined) return refundReported(settlement, { order, state });
  for (const { order, ...share } of sharesOfOrders(orders, reference, amountCents))
    await refundReported(settlement, { order, state: { ...state, ...share } });
}

async function applyDispute(
  settlement: SettlementDependencies,
  orders: readonly OrderWithPayment[],
  state: DisputeState,
): Promise<void> {
  const [order] = orders;
  if (orders.length === 1 && order !== undefined) return disputeReported(settlement, { order, state });
  for (const { order, ...share } of sharesOfOrders(orders, state.reference, state.amountCents))
    await disputeReported(settlement, { order, state: { ...state, ...share } });
}

interface Share {
  order: OrderWithPayment;
  reference: string;
  amountCents: number;
}

/** Divides an amount among the orders of a payment, in proportion to their prices. */
function sharesOfOrders(orders: readonly OrderWithPayment[], reference: string, amountCents: number): Share[] {
  const shares = sharesOf(
    amountCents,
    orders.map(({ amount_cents }) => amount_cents),
  );
  return orders.flatMap((order, place) => {
    const share = shares[place] ?? 0;
    return share === 0 ? [] : [{ order, reference: shareReference(reference, order.id), amountCents: share }];
  });
}

function readOrThrow<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw invalidRequest("The Stripe-Signature header is missing, too old, or not of this body.", "Stripe-Signature");
  }
}
