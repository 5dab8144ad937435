import type Stripe from "stripe";

/** The id of an expandable field, which Stripe sends as an object or as an id; null for an empty field. */
export const idOf = (expandable: string | { id: string } | null | undefined): string | null =>
  typeof expandable === "object" ? (expandable?.id ?? null) : (expandable ?? null);

/**
 * The object that a Stripe webhook call is about. The program reads the object from Stripe again, so the order,
 * repetition and API version of calls do not matter.
 */
export type PaymentNotice =
  | { kind: "payment"; paymentKey: string; paymentReference: string }
  | { kind: "page"; paymentKey: string }
  | { kind: "refund"; paymentReference: string; refundReference: string }
  | { kind: "dispute"; paymentReference: string; disputeReference: string };

/** Null for other events and payments of other programs. A refund or dispute may be of another program's payment. */
export function readNotice(event: Stripe.Event): PaymentNotice | null {
  switch (event.type) {
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.canceled": {
      const { id, metadata } = event.data.object;
      const paymentKey = metadata.payment_key;
      return paymentKey === undefined ? null : { kind: "payment", paymentKey, paymentReference: id };
    }
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
    case "checkout.session.async_payment_failed":
    case "checkout.session.expired": {
      const paymentKey = event.data.object.metadata?.payment_key;
      return paymentKey === undefined ? null : { kind: "page", paymentKey };
    }
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
    case "charge.refund.updated": {
      const { id, payment_intent } = event.data.object;
      const paymentReference = idOf(payment_intent);
      return paymentReference === null ? null : { kind: "refund", paymentReference, refundReference: id };
    }
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated": {
      const { id, payment_intent } = event.data.object;
      const paymentReference = idOf(payment_intent);
      return paymentReference === null ? null : { kind: "dispute", paymentReference, disputeReference: id };
    }
    default:
      return null;
  }
}
