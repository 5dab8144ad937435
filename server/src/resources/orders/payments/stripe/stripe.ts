import { randomUUID } from "node:crypto";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { activeTracer } from "@beatmarket/foundation/tracing/tracing.ts";
import Stripe from "stripe";
import type {
  CreatedPayment,
  DisputeState,
  FailedPayment,
  Movement,
  Payment,
  PaymentProvider,
  PaymentState,
  RefundState,
} from "../../provider.ts";
import { idOf } from "./expandable.ts";
import { stripeMovements } from "./movements.ts";
import { type PaymentNotice, readNotice } from "./notices.ts";
import {
  disputeState,
  isReference,
  isUnconfirmed,
  paymentState,
  refundState,
  refusedPayment,
  refusedRefund,
} from "./states.ts";
import { tracedHttpClient } from "./traced-http-client.ts";

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
const maxRefunds = 100;

/**
 * Stripe PaymentIntents: created with their payment method, confirmed once. The bank's refusal takes the method from the
 * intent, so a second confirmation cannot charge.
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
      ...(activeTracer() !== null && { httpClient: tracedHttpClient() }),
      ...(apiBase !== undefined && {
        host: apiBase.hostname,
        port: apiBase.port || (apiBase.protocol === "http:" ? 80 : 443),
        protocol: apiBase.protocol === "http:" ? "http" : "https",
      }),
    });
  }

  async requirePayable(method: string): Promise<void> {
    let found: Stripe.PaymentMethod;
    try {
      found = await this.#stripe.paymentMethods.retrieve(method);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError)
        throw invalidRequest(`payment_method: Stripe knows no payment method ${quoted(method)}.`, "payment_method");
      throw new ApiError(
        503,
        "server_error",
        "Payments are unavailable",
        "The payment provider does not respond, so nothing was held or charged. Try again in a minute.",
        { headers: { "retry-after": "60" }, cause: error },
      );
    }
    if ((found.customer ?? null) !== null)
      throw invalidRequest(
        "payment_method: this one belongs to a customer at Stripe. Send one that is attached to none.",
        "payment_method",
      );
  }

  async create(payment: Payment): Promise<CreatedPayment | FailedPayment> {
    try {
      const { id, client_secret } = await this.#createIntent(payment);
      if (!isReference(id))
        throw new Error(`Stripe answered with an intent without an id for order ${payment.orderId}.`);
      return { status: "created", reference: id, clientSecret: client_secret, mustBeKept: true };
    } catch (error) {
      const refused = refusedPayment(error, null);
      if (refused === null) throw error;
      return refused;
    }
  }

  /**
   * The payment's key is the first idempotency key: what was lost on the way is found again by it, and an older instance,
   * which charges under it, no longer can. Stripe repeats even its own failures under a key, so after one there is a new.
   */
  async #createIntent(payment: Payment): Promise<Stripe.PaymentIntent> {
    const { orderId, key, amountCents, currency, method } = payment;
    const create = (idempotencyKey: string) =>
      this.#stripe.paymentIntents.create(
        {
          amount: amountCents,
          currency: currency.toLowerCase(),
          payment_method: method,
          automatic_payment_methods: { enabled: true },
          description: `Order ${orderId}`,
          metadata: { order_id: String(orderId), payment_key: key },
        },
        { idempotencyKey },
      );
    try {
      return await create(key);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeIdempotencyError) return this.#findByKey(payment, error);
      if (error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500)
        return create(`${key}_${randomUUID()}`);
      throw error;
    }
  }

  /** The intent that an older instance charged under the payment's key, once Stripe's search has it. */
  async #findByKey({ key }: Payment, otherwise: Error): Promise<Stripe.PaymentIntent> {
    const { data } = await this.#stripe.paymentIntents.search({ query: `metadata["payment_key"]:"${key}"`, limit: 1 });
    if (data[0] === undefined) throw otherwise;
    return data[0];
  }

  async confirm(payment: Payment, returnUrl: string): Promise<PaymentState> {
    const { reference } = payment;
    if (reference === null) throw new Error(`The payment of order ${payment.orderId} was not created.`);
    try {
      // The package makes a new idempotency key for each call, and repeats it in its own retry only.
      return paymentState(await this.#stripe.paymentIntents.confirm(reference, { return_url: returnUrl }), payment);
    } catch (error) {
      if (isUnexpectedState(error)) return paymentState(await this.#retrieve(reference), payment);
      const refused = refusedPayment(error, reference);
      if (refused === null) throw error;
      return refused;
    }
  }

  async query(payment: Payment): Promise<PaymentState | null> {
    if (payment.reference === null) return null;
    const intent = await this.#retrieve(payment.reference);
    const state = paymentState(intent, payment);
    return isUnconfirmed(intent) ? null : state;
  }

  async cancel(payment: Payment): Promise<PaymentState> {
    if (payment.reference === null)
      return { status: "failed", reference: null, reason: "The payment was not started in time; nothing was charged." };
    const state = paymentState(await this.#retrieve(payment.reference), payment);
    if (state.status !== "pending") return state;
    try {
      return paymentState(await this.#stripe.paymentIntents.cancel(payment.reference), payment);
    } catch (error) {
      // The intent became final first, or the bank is processing it and it can no longer be canceled.
      if (!isUnexpectedState(error)) throw error;
      return paymentState(await this.#retrieve(payment.reference), payment);
    }
  }

  async refund(payment: Payment, { key, amountCents }: { key: string; amountCents: number }): Promise<RefundState> {
    try {
      return refundState(
        await this.#stripe.refunds.create(
          { payment_intent: referenceOf(payment), amount: amountCents, metadata: { payment_key: payment.key } },
          { idempotencyKey: key },
        ),
      );
    } catch (error) {
      const refused = refusedRefund(error, amountCents);
      if (refused === null) throw error;
      return refused;
    }
  }

  async queryRefund(payment: Payment, reference: string): Promise<RefundState> {
    const refund = await this.#stripe.refunds.retrieve(reference);
    if (idOf(refund.payment_intent) !== referenceOf(payment))
      throw new Error(`Stripe's refund ${reference} is not one of order ${payment.orderId}.`);
    return refundState(refund);
  }

  async listRefunds(payment: Payment): Promise<RefundState[]> {
    const { data } = await this.#stripe.refunds.list({ payment_intent: referenceOf(payment), limit: maxRefunds });
    return data.map(refundState).reverse();
  }

  async queryDispute(payment: Payment, reference: string): Promise<DisputeState> {
    const dispute = await this.#stripe.disputes.retrieve(reference);
    if (idOf(dispute.payment_intent) !== referenceOf(payment))
      throw new Error(`Stripe's dispute ${reference} is not one of order ${payment.orderId}.`);
    return disputeState(dispute);
  }

  movements(from: Date, to: Date): AsyncIterable<Movement> {
    return stripeMovements(this.#stripe, from, to);
  }

  /**
   * Verifies and parses a webhook call. Null for event types that are not used. Throws if the signature is invalid or
   * older than five minutes.
   */
  readWebhook(body: Buffer, signature: string, nowMs: number): PaymentNotice | null {
    if (this.#webhookSecret === undefined) throw new Error("There is no webhook secret to check the signature with.");
    return readNotice(
      this.#stripe.webhooks.constructEvent(
        body,
        signature,
        this.#webhookSecret,
        webhookToleranceSeconds,
        undefined,
        nowMs,
      ),
    );
  }

  #retrieve(reference: string): Promise<Stripe.PaymentIntent> {
    return this.#stripe.paymentIntents.retrieve(reference);
  }
}

function referenceOf({ reference, orderId }: Payment): string {
  if (reference === null) throw new Error(`Order ${orderId} has no payment at Stripe.`);
  return reference;
}

const isUnexpectedState = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "payment_intent_unexpected_state";
