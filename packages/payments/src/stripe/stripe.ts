import { randomUUID } from "node:crypto";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { activeTracer, inSpan, traceHeader } from "@beatmarket/foundation/tracing/tracing.ts";
import Stripe from "stripe";
import {
  type CreatedPayment,
  type DisputeState,
  type FailedPayment,
  type Movement,
  type MovementKind,
  type Payment,
  type PaymentProvider,
  type PaymentState,
  type RefundState,
  wholeReference,
} from "../provider.ts";
import { idOf, type PaymentNotice, readNotice } from "./notices.ts";
import {
  disputeState,
  isReference,
  isUnconfirmed,
  paymentState,
  refundState,
  refusedPayment,
  refusedRefund,
} from "./states.ts";
import { StripePages } from "./stripe-pages.ts";
import { StripeTransfers } from "./stripe-transfers.ts";

/**
 * Stripe's HTTP client. Reports for each request whether a response without a server error (5xx) arrived. While tracing
 * is on, a request has a span and passes the trace to Stripe.
 */
function observedHttpClient(onRequest: (hasSucceeded: boolean) => void): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  const observed: typeof send = async (...request) => {
    let hasSucceeded = false;
    try {
      const response = await send(...request);
      hasSucceeded = response.getStatusCode() < 500;
      return response;
    } finally {
      onRequest(hasSucceeded);
    }
  };
  client.makeRequest = (host, port, path, method, headers, ...rest) => {
    if (activeTracer() === null) return observed(host, port, path, method, headers, ...rest);
    const attributes = { "server.address": host, "http.request.method": method };
    return inSpan(`stripe ${method}`, { kind: "client", attributes }, async (span) => {
      const response = await observed(host, port, path, method, { ...headers, ...traceHeader() }, ...rest);
      span.set({ "http.response.status_code": response.getStatusCode() });
      return response;
    });
  };
  return client;
}

const perPage = 100;
/** Limits the memory of the daily comparison. No shop has as many in a day. */
const maxMovements = 1_000_000;

/**
 * Stripe's reporting categories for payments by buyers and money returned to buyers. Excludes fees and payouts, among
 * others.
 */
const kinds: Readonly<Record<string, MovementKind>> = {
  charge: "charge",
  refund: "refund",
  refund_failure: "refund_reversal",
  dispute: "dispute",
  dispute_reversal: "dispute_reversal",
};

/**
 * The balance transactions of a period, with the amount and the currency of the charge, refund or dispute. The balance
 * transaction's own amount is in the currency of the account, with the fee deducted.
 */
async function* stripeMovements(stripe: Stripe, from: Date, to: Date): AsyncGenerator<Movement> {
  const seconds = (time: Date) => Math.ceil(time.getTime() / 1_000);
  let count = 0;
  for await (const { reporting_category, source, created } of stripe.balanceTransactions.list({
    created: { gte: seconds(from), lt: seconds(to) },
    limit: perPage,
    expand: ["data.source"],
  })) {
    if (++count > maxMovements)
      throw new Error(`Stripe lists more than ${maxMovements} balance transactions from ${from.toISOString()} on.`);
    const kind = Object.hasOwn(kinds, reporting_category) ? kinds[reporting_category] : undefined;
    if (kind === undefined || source === null || typeof source === "string") continue;
    const object = source as Stripe.Charge | Stripe.Refund | Stripe.Dispute;
    const paymentReference = idOf(object.payment_intent);
    yield {
      kind,
      // A charge is identified by its payment.
      reference: kind === "charge" ? (paymentReference ?? object.id) : object.id,
      paymentKey: object.metadata?.payment_key ?? null,
      paymentReference,
      amountCents: object.amount,
      currency: object.currency.toUpperCase(),
      at: new Date(created * 1_000),
    };
  }
}

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
const probeTimeoutMs = 2_000;
const webhookToleranceSeconds = 300;
const maxRefunds = 100;

/**
 * Stripe PaymentIntents, created with their payment method and confirmed once. When the bank refuses, Stripe removes
 * the method from the intent, so a second confirmation cannot charge.
 */
export class StripePayments implements PaymentProvider {
  readonly name = "stripe";
  readonly pages: StripePages;
  readonly transfers: StripeTransfers;
  readonly #stripe: Stripe;
  readonly #webhookSecret: string | undefined;
  #hasLastRequestFailed = false;

  constructor({ secretKey, webhookSecret, apiBase }: StripeSettings, options: { timeoutMs?: number } = {}) {
    this.#webhookSecret = webhookSecret;
    this.#stripe = new Stripe(secretKey, {
      timeout: options.timeoutMs ?? timeoutMs,
      maxNetworkRetries: maxRetries,
      telemetry: false,
      httpClient: observedHttpClient((hasSucceeded) => {
        this.#hasLastRequestFailed = !hasSucceeded;
      }),
      ...(apiBase !== undefined && {
        host: apiBase.hostname,
        port: apiBase.port || (apiBase.protocol === "http:" ? 80 : 443),
        protocol: apiBase.protocol === "http:" ? "http" : "https",
      }),
    });
    this.pages = new StripePages(this.#stripe);
    this.transfers = new StripeTransfers(this.#stripe);
  }

  /**
   * Whether Stripe is failing: the last request failed, and a test request (which changes nothing) fails too. A failure
   * is no response or a server error (5xx). Never rejects.
   */
  async isFailing(): Promise<boolean> {
    if (!this.#hasLastRequestFailed) return false;
    try {
      await this.#stripe.balance.retrieve({}, { timeout: probeTimeoutMs, maxNetworkRetries: 0 });
      return false;
    } catch (error) {
      // A 4xx is a response, such as for a key that may not read the balance.
      return !(error instanceof Stripe.errors.StripeError) || (error.statusCode ?? 500) >= 500;
    }
  }

  /**
   * Checks that Stripe responds and accepts the key. Returns null if so, or Stripe's error message as a sentence, with
   * the status of the response (null without a response).
   */
  async findProblem(): Promise<{ sentence: string; status: number | null } | null> {
    try {
      await this.#stripe.balance.retrieve();
      return null;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      return { sentence: error.message.replace(/\.?$/, "."), status: error.statusCode ?? null };
    }
  }

  async requirePayable(method: string): Promise<void> {
    let paymentMethod: Stripe.PaymentMethod;
    try {
      paymentMethod = await this.#stripe.paymentMethods.retrieve(method);
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
    if ((paymentMethod.customer ?? null) !== null)
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
      return { status: "created", reference: id, clientSecret: client_secret, mustBeStored: true };
    } catch (error) {
      const refusal = refusedPayment(error, null);
      if (refusal === null) throw error;
      return refusal;
    }
  }

  /**
   * The payment's key is the first idempotency key. For the same key, Stripe repeats a response that was lost, and
   * refuses other parameters, which an instance of an older release may have sent. Stripe also repeats its own failures
   * for a key, so the second attempt has a new key.
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

  /**
   * The intent that an instance of an older release charged under the payment's key. Throws `otherwise` if Stripe's
   * search has no result.
   */
  async #findByKey({ key }: Payment, otherwise: Error): Promise<Stripe.PaymentIntent> {
    const { data } = await this.#stripe.paymentIntents.search({ query: `metadata["payment_key"]:"${key}"`, limit: 1 });
    if (data[0] === undefined) throw otherwise;
    return data[0];
  }

  async confirm(payment: Payment, returnUrl: string): Promise<PaymentState> {
    const { reference } = payment;
    if (reference === null) throw new Error(`The payment of order ${payment.orderId} was not created.`);
    try {
      // The package `stripe` generates an idempotency key for each call, and reuses the key only in a retry.
      return paymentState(await this.#stripe.paymentIntents.confirm(reference, { return_url: returnUrl }), payment);
    } catch (error) {
      if (isUnexpectedState(error)) return paymentState(await this.#retrieve(reference), payment);
      const refusal = refusedPayment(error, reference);
      if (refusal === null) throw error;
      return refusal;
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
      // The intent became final first, or the bank is processing it and does not allow the cancellation.
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
      const refusal = refusedRefund(error, amountCents);
      if (refusal === null) throw error;
      return refusal;
    }
  }

  async queryRefund(payment: Payment, reference: string): Promise<ReportedRefund> {
    const refund = await this.#stripe.refunds.retrieve(wholeReference(reference));
    if (idOf(refund.payment_intent) !== referenceOf(payment))
      throw new Error(`Stripe's refund ${reference} is not one of order ${payment.orderId}.`);
    return { ...refundState(refund), reference, paymentKey: refund.metadata?.payment_key ?? null };
  }

  /** A refund of a shared payment belongs to the order only if this program made it for that order. */
  async listRefunds(payment: Payment): Promise<RefundState[]> {
    const { data } = await this.#stripe.refunds.list({ payment_intent: referenceOf(payment), limit: maxRefunds });
    const ofOrder = data.filter(({ metadata }) => !payment.isShared || metadata?.payment_key === payment.key);
    return ofOrder.map(refundState).reverse();
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
   * Verifies and parses a webhook call. Returns null for event types that are not used, and for payments of other
   * programs. Throws if the signature is invalid or older than five minutes.
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

/**
 * A refund at Stripe. `paymentKey` is the key of the payment; null for a refund that was made in Stripe's dashboard.
 */
export type ReportedRefund = RefundState & { paymentKey: string | null };

const isUnexpectedState = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "payment_intent_unexpected_state";
