import { type ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import Stripe from "stripe";
import type { PageState, PaymentPage, PaymentPages } from "../provider.ts";
import { idOf } from "./notices.ts";

// Stripe accepts lifetimes of 30 minutes to 24 hours: these limits leave a minute for the difference of the clocks. A
// page that must end sooner is expired with a call.
const minLifetimeMs = 31 * 60_000;
const maxLifetimeMs = 24 * 3_600_000 - 60_000;

/** Stripe's hosted Checkout: a page at Stripe, with the payment methods that the Stripe account has enabled. */
export class StripePages implements PaymentPages {
  readonly #stripe: Stripe;

  constructor(stripe: Stripe) {
    this.#stripe = stripe;
  }

  async open(page: PaymentPage): Promise<{ reference: string; url: string }> {
    if (page.reference !== null) return pageOf(await this.#retrieve(page.reference));
    const params = sessionOf(page);
    try {
      return pageOf(await this.#stripe.checkout.sessions.create(params, { idempotencyKey: page.key }));
    } catch (error) {
      // Stripe stores its own failures under a key and repeats them, so the second attempt has a new key.
      if (error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500)
        return pageOf(await this.#stripe.checkout.sessions.create(params, { idempotencyKey: `${page.key}_again` }));
      if (error instanceof Stripe.errors.StripeInvalidRequestError) throw refusedPage(error);
      throw error;
    }
  }

  async query(page: PaymentPage): Promise<PageState> {
    return page.reference === null ? { status: "open" } : stateOf(await this.#retrieve(page.reference), page);
  }

  async expire(page: PaymentPage): Promise<PageState> {
    // No buyer was redirected to a page without a stored reference.
    if (page.reference === null) return { status: "expired" };
    try {
      return stateOf(await this.#stripe.checkout.sessions.expire(page.reference, { expand }), page);
    } catch (error) {
      // The buyer paid or the page expired first.
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return this.query(page);
      throw error;
    }
  }

  #retrieve(reference: string): Promise<Stripe.Checkout.Session> {
    return this.#stripe.checkout.sessions.retrieve(reference, { expand });
  }
}

const expand = ["payment_intent"];

/**
 * Quotes Stripe's message only for an error that the buyer can correct. Other messages concern the seller.
 */
const refusedPage = (error: Stripe.errors.StripeInvalidRequestError): ApiError =>
  conflict(
    error.code === "amount_too_small"
      ? `The payment provider does not take so small a payment: ${error.message} Nothing was held or charged.`
      : `The payment provider does not take this payment (its request ${error.requestId ?? "has no id"}). Nothing was held or charged.`,
  );

function sessionOf(page: PaymentPage): Stripe.Checkout.SessionCreateParams {
  const metadata = { payment_key: page.key };
  const lifetimeMs = Math.min(
    Math.max(page.expiresAt.getTime() - page.createdAt.getTime(), minLifetimeMs),
    maxLifetimeMs,
  );
  return {
    mode: "payment",
    client_reference_id: page.key,
    metadata,
    payment_intent_data: { metadata },
    line_items: page.lines.map(({ name, description, amountCents }) => ({
      quantity: 1,
      price_data: {
        currency: page.currency.toLowerCase(),
        unit_amount: amountCents,
        product_data: { name, description },
      },
    })),
    ...(page.email !== null && { customer_email: page.email }),
    success_url: `${page.returnUrl}?paid`,
    cancel_url: page.cancelUrl,
    expires_at: Math.floor((page.createdAt.getTime() + lifetimeMs) / 1000),
  };
}

function pageOf({ id, url }: Stripe.Checkout.Session): { reference: string; url: string } {
  if (!/^\w{1,255}$/.test(id) || url === null || url === undefined)
    throw new Error("Stripe answered with a Checkout session without an id or an address.");
  return { reference: id, url };
}

/** Throws if the session belongs to another checkout or its amount differs, since a person must check that. */
function stateOf(session: Stripe.Checkout.Session, page: PaymentPage): PageState {
  const { id, metadata, status, payment_status, amount_total, currency, payment_intent, customer_details } = session;
  if (metadata?.payment_key !== page.key)
    throw new Error(`Stripe's Checkout session ${id} does not belong to ${page.key}.`);
  if (status === "expired") return { status: "expired" };
  if (status !== "complete") return { status: "open" };
  if (payment_status === "unpaid") {
    const isFailed = typeof payment_intent === "object" && payment_intent?.status === "requires_payment_method";
    return { status: isFailed ? "expired" : "processing" };
  }
  if (amount_total !== page.amountCents || currency !== page.currency.toLowerCase())
    throw new Error(`Stripe took another amount than the amount of ${page.key}: look at ${id}.`);
  const reference = idOf(payment_intent);
  if (reference === null) throw new Error(`Stripe's Checkout session ${id} is paid without a payment.`);
  const method = typeof payment_intent === "object" ? idOf(payment_intent?.payment_method) : null;
  return { status: "succeeded", reference, method: method ?? "checkout", email: customer_details?.email ?? null };
}
