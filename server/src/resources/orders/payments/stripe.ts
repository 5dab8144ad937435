import Stripe from "stripe";
import type { Payment, PaymentProvider, PaymentState } from "./provider.ts";

export interface StripeSettings {
  /** `sk_…` */
  secretKey: string;
  /** `whsec_…` of the webhook endpoint configured at Stripe; undefined disables the webhook. */
  webhookSecret: string | undefined;
  /** Replaces Stripe's own address. */
  apiBase: URL | undefined;
}

const timeoutMs = 10_000;
const maxRetries = 1;
const webhookToleranceSeconds = 300;
const maxReasonLength = 500;

/** A payment update from Stripe's webhook. */
export interface PaymentUpdate {
  paymentKey: string;
  /** Throws if the update does not match the payment of that key. */
  stateOf(payment: Payment): PaymentState;
}

/**
 * Stripe PaymentIntents, confirmed on creation. The payment's key is Stripe's idempotency key. It is also in the intent's
 * metadata, to find the intent if a crash lost its id.
 */
export class StripePayments implements PaymentProvider {
  readonly name = "stripe";
  readonly #stripe: Stripe;
  readonly #webhookSecret: string | undefined;

  constructor({ secretKey, webhookSecret, apiBase }: StripeSettings, options: { timeoutMs?: number } = {}) {
    this.#webhookSecret = webhookSecret;
    this.#stripe = new Stripe(secretKey, {
      timeout: options.timeoutMs ?? timeoutMs,
      maxNetworkRetries: maxRetries,
      telemetry: false,
      ...(apiBase !== undefined && {
        host: apiBase.hostname,
        port: apiBase.port || (apiBase.protocol === "http:" ? 80 : 443),
        protocol: apiBase.protocol === "http:" ? "http" : "https",
      }),
    });
  }

  async charge(payment: Payment): Promise<PaymentState> {
    const { orderId, key, amountCents, currency, method } = payment;
    try {
      const intent = await this.#stripe.paymentIntents.create(
        {
          amount: amountCents,
          currency: currency.toLowerCase(),
          payment_method: method,
          confirm: true,
          automatic_payment_methods: { enabled: true, allow_redirects: "never" },
          description: `Order ${orderId}`,
          metadata: { order_id: String(orderId), payment_key: key },
        },
        { idempotencyKey: key },
      );
      return stateOf(intent, payment);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      return refusal;
    }
  }

  async query(payment: Payment): Promise<PaymentState | null> {
    const intent = await this.#find(payment);
    return intent === null ? null : stateOf(intent, payment);
  }

  async cancel(payment: Payment): Promise<PaymentState> {
    const intent = await this.#find(payment);
    if (intent === null)
      return { status: "failed", reference: null, reason: "The payment was not started in time; nothing was charged." };
    const state = stateOf(intent, payment);
    if (state.status !== "pending") return state;
    try {
      return stateOf(await this.#stripe.paymentIntents.cancel(intent.id), payment);
    } catch (error) {
      // The intent became final first, or the bank is processing it and it can no longer be canceled.
      if (error instanceof Stripe.errors.StripeInvalidRequestError)
        return stateOf(await this.#stripe.paymentIntents.retrieve(intent.id), payment);
      throw error;
    }
  }

  async refund(payment: Payment): Promise<void> {
    const intent = await this.#find(payment);
    if (intent === null) throw new Error(`Stripe knows no payment of order ${payment.orderId} to refund.`);
    try {
      await this.#stripe.refunds.create({ payment_intent: intent.id }, { idempotencyKey: `${payment.key}_refund` });
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError && error.code === "charge_already_refunded")) throw error;
    }
  }

  /**
   * Verifies and parses a webhook call. Null for event types that are not used. Throws if the signature is invalid or
   * older than five minutes.
   */
  readWebhook(body: Buffer, signature: string, nowMs: number): PaymentUpdate | null {
    if (this.#webhookSecret === undefined) throw new Error("There is no webhook secret to check the signature with.");
    const event = this.#stripe.webhooks.constructEvent(
      body,
      signature,
      this.#webhookSecret,
      webhookToleranceSeconds,
      undefined,
      nowMs,
    );
    switch (event.type) {
      case "payment_intent.succeeded":
      case "payment_intent.payment_failed":
      case "payment_intent.canceled": {
        const intent = event.data.object;
        const paymentKey = intent.metadata.payment_key;
        return paymentKey === undefined ? null : { paymentKey, stateOf: (payment) => stateOf(intent, payment) };
      }
      default:
        return null;
    }
  }

  async #find({ key, reference }: Payment): Promise<Stripe.PaymentIntent | null> {
    if (reference !== null) return this.#stripe.paymentIntents.retrieve(reference);
    const { data } = await this.#stripe.paymentIntents.search({ query: `metadata["payment_key"]:"${key}"`, limit: 1 });
    return data[0] ?? null;
  }
}

/**
 * The payment state of an intent. Throws if the intent belongs to another payment or its amount differs: such an order
 * needs a person to look at it.
 */
function stateOf(intent: Stripe.PaymentIntent, payment: Payment): PaymentState {
  const { id, status, metadata, amount_received, amount, currency, last_payment_error } = intent;
  if (!isReference(id) || metadata?.payment_key !== payment.key)
    throw new Error(`Stripe answered with an intent that is not that of order ${payment.orderId}.`);
  switch (status) {
    case "succeeded":
      if ((amount_received ?? amount) !== payment.amountCents || currency !== payment.currency.toLowerCase())
        throw new Error(`Stripe took another amount than that of order ${payment.orderId}: look at ${id}.`);
      return { status: "succeeded", reference: id };
    case "canceled":
      return { status: "failed", reference: id, reason: "The payment was not confirmed in time." };
    case "requires_payment_method":
      return {
        status: "failed",
        reference: id,
        reason: buyerSentence(last_payment_error?.message, "The payment failed."),
      };
    default:
      return { status: "pending", reference: id };
  }
}

const isReference = (id: unknown): id is string => typeof id === "string" && /^\w{1,255}$/.test(id);

/** Stripe's message, made safe to store and to show to the buyer. */
function buyerSentence(message: unknown, otherwise: string): string {
  if (typeof message !== "string" || message.trim() === "") return otherwise;
  return message
    .slice(0, maxReasonLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, " ");
}

/** The failed state if Stripe refused to charge; null if the outcome is unknown. */
function refusalOf(error: unknown): PaymentState | null {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  if (error instanceof StripeCardError)
    return {
      status: "failed",
      reference: referenceOf(error),
      reason: buyerSentence(error.message, "The payment was declined."),
    };
  if (!(error instanceof StripeInvalidRequestError)) return null;
  const isBuyersToFix = error.param === "payment_method" || error.code === "amount_too_small";
  return {
    status: "failed",
    reference: referenceOf(error),
    reason: isBuyersToFix
      ? buyerSentence(error.message, "The payment was refused.")
      : `The payment provider does not take this payment (its request ${error.requestId ?? "has no id"}).`,
  };
}

const referenceOf = ({ payment_intent }: Stripe.errors.StripeError): string | null =>
  isReference(payment_intent?.id) ? payment_intent.id : null;
