import Stripe from "stripe";
import type { DisputeState, FailedPayment, Payment, PaymentState, RefundState } from "../provider.ts";

const maxReasonLength = 500;

/** Whether the intent waits for its first confirmation. */
export const isUnconfirmed = ({ status }: Stripe.PaymentIntent): boolean => status === "requires_confirmation";

/**
 * The payment state of an intent. Throws if the intent belongs to another payment or another amount was charged, since
 * a person must check such an order.
 */
export function paymentState(intent: Stripe.PaymentIntent, payment: Payment): PaymentState {
  const { id, status, metadata, amount_received, amount, currency, last_payment_error, next_action } = intent;
  if (!isReference(id) || metadata?.payment_key !== payment.key)
    throw new Error(`Stripe answered with a payment intent that is not for order ${payment.orderId}.`);
  switch (status) {
    case "succeeded":
      if ((amount_received ?? amount) !== payment.amountCents || currency !== payment.currency.toLowerCase())
        throw new Error(`Stripe took another amount than the amount of order ${payment.orderId}: look at ${id}.`);
      return { status: "succeeded", reference: id };
    case "canceled":
      return { status: "failed", reference: id, reason: "The payment was not confirmed in time." };
    // An intent has a payment method from the start, and loses the method when the bank declines the payment.
    case "requires_payment_method":
      return { status: "failed", reference: id, reason: sentence(last_payment_error?.message, "The payment failed.") };
    default:
      return { status: "pending", reference: id, redirectUrl: httpUrl(next_action?.redirect_to_url?.url) };
  }
}

/** The address of the buyer's bank. Null if the address is not an HTTP URL: a browser must not be sent there. */
const httpUrl = (url: unknown): string | null =>
  typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url) ? url : null;

export const isReference = (id: unknown): id is string => typeof id === "string" && /^\w{1,255}$/.test(id);

/** The state of a Stripe refund. A refund that waits for the buyer (`requires_action`) is also pending. */
export const refundState = ({ id, amount, status, failure_reason }: Stripe.Refund): RefundState => ({
  reference: id,
  amountCents: amount,
  status: refundStatus(status),
  reason: refundFailure(status, failure_reason),
});

function refundStatus(status: string | null): RefundState["status"] {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}

function refundFailure(status: string | null, reason: string | undefined): string | null {
  if (status === "failed") return `Stripe reports: ${sentence(reason, "the refund failed")}.`;
  return status === "canceled" ? "The refund was canceled at Stripe." : null;
}

/** The state of a Stripe dispute. An early warning (`warning_…`) withdraws no money. A closed warning counts as won. */
export function disputeState({
  id,
  amount,
  reason,
  status,
  created,
  balance_transactions,
}: Stripe.Dispute): DisputeState {
  const netCents = balance_transactions.reduce((sum, movement) => sum + movement.amount, 0);
  return {
    reference: id,
    amountCents: amount,
    reason,
    status: disputeStatus(status),
    isWithdrawn: netCents < 0,
    openedAt: new Date(created * 1000),
  };
}

const wonStatuses: ReadonlySet<string> = new Set(["won", "warning_closed", "prevented"]);

function disputeStatus(status: string): DisputeState["status"] {
  if (status === "lost") return "lost";
  return wonStatuses.has(status) ? "won" : "open";
}

/** Stripe's message without control characters, cut at `maxReasonLength`; `otherwise` without a message. */
function sentence(message: unknown, otherwise: string): string {
  if (typeof message !== "string" || message.trim() === "") return otherwise;
  return message
    .slice(0, maxReasonLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, " ");
}

/** The failed payment if Stripe refused to charge; null if the outcome is unknown. */
export function refusedPayment(error: unknown, reference: string | null): FailedPayment | null {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  if (error instanceof StripeCardError)
    return { status: "failed", reference, reason: sentence(error.message, "The payment was declined.") };
  if (!(error instanceof StripeInvalidRequestError)) return null;
  const isBuyersToFix = error.param === "payment_method" || error.code === "amount_too_small";
  return {
    status: "failed",
    reference,
    reason: isBuyersToFix
      ? sentence(error.message, "The payment was refused.")
      : `The payment provider does not take this payment (its request ${error.requestId ?? "has no id"}).`,
  };
}

/** The refund that Stripe refused to make; null if the outcome is unknown. */
export const refusedRefund = (error: unknown, amountCents: number): RefundState | null =>
  error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError
    ? { reference: null, amountCents, status: "failed", reason: sentence(error.message, "Stripe refused the refund.") }
    : null;
