import type Stripe from "stripe";
import { invalid, missing, StripeFault } from "./errors.ts";
import { metadataOf } from "./fields.ts";
import { type TestMethod, testMethods } from "./methods.ts";
import { balanceTransactionOf, chargeOf, disputeOf, intentOf, methodOf, refundOf } from "./objects.ts";
import { Transfers } from "./transfers.ts";

const minAmount = 50;
const disputeFee = 1500;

/** The state of a Stripe account in test mode, and Stripe's operations on it. Amounts are in cents. */
export class StripeAccount {
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  readonly balanceTransactions = new Map<string, Stripe.BalanceTransaction>();
  readonly transfers = new Transfers({
    newIds: (prefix) => this.#newIds(prefix),
    emit: (type, object) => this.#emit(type, object),
  });
  /** Oldest first, each with a copy of its object at that time. */
  readonly events: Stripe.Event[] = [];
  readonly #nowMs: () => number;
  readonly #origin: string;
  #ids = 0;

  constructor({ nowMs, origin }: { nowMs: () => number; origin: string }) {
    this.#nowMs = nowMs;
    this.#origin = origin;
  }

  createSession(fields: URLSearchParams): Stripe.Checkout.Session {
    const metadata = metadataOf(fields);
    const lines = [...fields].filter(([name]) => /^line_items\[\d+\]\[price_data\]\[unit_amount\]$/.test(name));
    const expiresAt = Number(fields.get("expires_at"));
    const lifetimeS = expiresAt - this.#seconds();
    if (lifetimeS < 30 * 60 || lifetimeS > 24 * 3600)
      throw invalid(
        "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
        {
          param: "expires_at",
        },
      );
    const amount = lines.reduce((sum, [, cents]) => sum + Number(cents), 0);
    if (amount < minAmount)
      throw invalid("The Checkout Session's total amount must convert to at least 50 cents.", {
        code: "amount_too_small",
        param: "line_items",
      });
    const ids = this.#newIds("cs");
    const session = {
      ...ids,
      object: "checkout.session",
      mode: fields.get("mode"),
      client_reference_id: fields.get("client_reference_id"),
      amount_total: amount,
      currency: fields.get("line_items[0][price_data][currency]"),
      metadata,
      customer_details: { email: fields.get("customer_email") },
      success_url: fields.get("success_url"),
      cancel_url: fields.get("cancel_url"),
      expires_at: expiresAt,
      payment_intent: null,
      payment_status: "unpaid",
      status: "open",
      url: `${this.#origin}/c/pay/${ids.id}`,
    } as unknown as Stripe.Checkout.Session;
    this.sessions.set(session.id, session);
    return session;
  }

  session(id: string): Stripe.Checkout.Session {
    const session = this.sessions.get(id);
    if (session === undefined) throw missing("checkout.session", id, "session");
    return session;
  }

  /** The session in the form of an expanded response. */
  expandedSession(id: string): Stripe.Checkout.Session {
    const session = this.session(id);
    const intent = this.intents.get(String(session.payment_intent));
    return intent === undefined ? session : { ...session, payment_intent: intent };
  }

  expireSession(id: string): Stripe.Checkout.Session {
    const session = this.session(id);
    if (session.status !== "open")
      throw invalid('Only Checkout Sessions with a status in ["open"] can be expired.', { param: "session" });
    this.#change(session, { status: "expired" });
    this.#emit("checkout.session.expired", session);
    return session;
  }

  /** The buyer pays with a method on the page of a session. A declined card leaves the page open. */
  paySession(id: string, payment_method: string, email?: string): void {
    const session = this.session(id);
    if (session.status !== "open") throw invalid("This Checkout Session is not open.", { param: "session" });
    const fields = new URLSearchParams({
      amount: String(session.amount_total),
      currency: String(session.currency),
      payment_method,
      "metadata[payment_key]": session.metadata?.payment_key ?? "",
    });
    const intent = this.createIntent(fields);
    if (email !== undefined) this.#change(session, { customer_details: { email } as never });
    try {
      this.#charge(intent, `${this.#origin}/return`);
    } catch (error) {
      if (error instanceof StripeFault) return;
      throw error;
    }
    const isPaid = intent.status === "succeeded";
    this.#change(session, {
      payment_intent: intent.id,
      status: "complete",
      payment_status: isPaid ? "paid" : "unpaid",
    });
    this.#emit("checkout.session.completed", session);
  }

  /** A processing payment of a session succeeds or fails. */
  finishSession(id: string, outcome: "succeeds" | "fails"): void {
    const session = this.session(id);
    const intent = this.intent(String(session.payment_intent));
    if (outcome === "succeeds") {
      this.#succeed(intent);
      this.#change(session, { payment_status: "paid" });
    } else this.#decline(intent, { code: "payment_failed", message: "The bank did not pay." });
    this.#emit(`checkout.session.async_payment_${outcome === "succeeds" ? "succeeded" : "failed"}`, session);
  }

  createIntent(fields: URLSearchParams): Stripe.PaymentIntent {
    const amount = Number(fields.get("amount"));
    const method = fields.get("payment_method") ?? "";
    const { customer } = this.#method(method);
    if (amount < minAmount)
      throw invalid("Amount must be at least $0.50 usd", { code: "amount_too_small", param: "amount" });
    if (customer !== undefined)
      throw invalid(`The PaymentMethod '${method}' belongs to a customer.`, { param: "payment_method" });
    const intent = intentOf(this.#newIds("pi"), {
      amount,
      currency: fields.get("currency") ?? "",
      payment_method: method,
      description: fields.get("description"),
      metadata: metadataOf(fields),
      allow_redirects: fields.get("automatic_payment_methods[allow_redirects]") === "never" ? "never" : "always",
    });
    this.intents.set(intent.id, intent);
    this.#emit("payment_intent.created", intent);
    return fields.get("confirm") === "true" ? this.#charge(intent, fields.get("return_url")) : intent;
  }

  confirmIntent(id: string, fields: URLSearchParams): Stripe.PaymentIntent {
    const intent = this.intent(id);
    if (intent.status !== "requires_confirmation" && intent.status !== "requires_action")
      throw unexpected(intent, "You cannot confirm this PaymentIntent because of its status.");
    return this.#charge(intent, fields.get("return_url"));
  }

  cancelIntent(id: string): Stripe.PaymentIntent {
    const intent = this.intent(id);
    if (!["requires_payment_method", "requires_confirmation", "requires_action"].includes(intent.status))
      throw unexpected(intent, `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`);
    this.#change(intent, { status: "canceled", next_action: null, canceled_at: this.#seconds() });
    this.#emit("payment_intent.canceled", intent);
    return intent;
  }

  /** The buyer confirms or refuses the payment on the bank's page. */
  authenticate(id: string, outcome: "succeeds" | "fails"): void {
    const intent = this.intent(id);
    if (intent.status !== "requires_action") throw unexpected(intent, "There is nothing to authenticate.");
    if (outcome === "succeeds") this.#succeed(intent);
    else
      this.#decline(intent, {
        code: "payment_intent_authentication_failure",
        message: "The provided PaymentMethod has failed authentication.",
      });
  }

  /** A processing payment succeeds. */
  finishProcessing(id: string): void {
    this.#succeed(this.intent(id));
  }

  refund(fields: URLSearchParams): Stripe.Refund {
    const intent = this.intent(fields.get("payment_intent") ?? "");
    const charge = this.charges.get(String(intent.latest_charge));
    if (charge === undefined)
      throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
    if (charge.disputed)
      throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: "charge_disputed" });
    const refundable = charge.amount - charge.amount_refunded;
    if (refundable === 0)
      throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
    const amount = Number(fields.get("amount") ?? refundable);
    if (amount > refundable)
      throw invalid(
        `Refund amount ($${dollars(amount)}) is greater than unrefunded amount on charge ($${dollars(refundable)})`,
        {
          param: "amount",
        },
      );
    const ids = this.#newIds("re");
    const refund = refundOf(ids, charge, {
      amount,
      status: this.#method(charge.payment_method ?? "").refund === "pending" ? "pending" : "succeeded",
      metadata: metadataOf(fields),
      balance_transaction: this.#move("refund", ids.id, -amount, charge.currency).id,
    });
    this.refunds.set(refund.id, refund);
    this.#change(charge, { amount_refunded: charge.amount_refunded + amount, refunded: amount === refundable });
    this.#emit("refund.created", refund);
    this.#emit("charge.refunded", charge);
    return refund;
  }

  /** A pending refund arrives, or the buyer's bank returns a refund. */
  finishRefund(id: string, outcome: "succeeds" | "fails"): void {
    const refund = this.refunds.get(id);
    if (refund === undefined) throw missing("refund", id, "id");
    if (outcome === "succeeds") {
      this.#change(refund, { status: "succeeded" });
      this.#emit("refund.updated", refund);
      return;
    }
    const charge = this.charges.get(String(refund.charge));
    if (charge !== undefined)
      this.#change(charge, { amount_refunded: charge.amount_refunded - refund.amount, refunded: false });
    this.#change(refund, {
      status: "failed",
      failure_reason: "expired_or_canceled_card",
      failure_balance_transaction: this.#move("refund_failure", id, refund.amount, refund.currency).id,
    });
    this.#emit("refund.failed", refund);
  }

  /** The buyer's bank reclaims a payment. */
  openDispute(intentId: string): Stripe.Dispute {
    const charge = this.charges.get(String(this.intent(intentId).latest_charge));
    if (charge === undefined) throw missing("charge", intentId, "charge");
    const ids = this.#newIds("du");
    const dispute = disputeOf(ids, charge, this.#moveDisputed(ids.id, -charge.amount, charge.currency, disputeFee));
    this.disputes.set(dispute.id, dispute);
    this.#change(charge, { disputed: true });
    this.#emit("charge.dispute.created", dispute);
    this.#emit("charge.dispute.funds_withdrawn", dispute);
    return dispute;
  }

  closeDispute(id: string, status: "won" | "lost"): void {
    const dispute = this.disputes.get(id);
    if (dispute === undefined) throw missing("dispute", id, "id");
    this.#change(dispute, { status });
    if (status === "won") {
      dispute.balance_transactions.push(this.#moveDisputed(id, dispute.amount, dispute.currency, 0));
      this.#emit("charge.dispute.funds_reinstated", dispute);
    }
    this.#emit("charge.dispute.closed", dispute);
  }

  intent(id: string): Stripe.PaymentIntent {
    const intent = this.intents.get(id);
    if (intent === undefined) throw missing("payment_intent", id, "intent");
    return intent;
  }

  paymentMethod(id: string): Stripe.PaymentMethod {
    return methodOf({ id, created: this.#seconds() }, this.#method(id).customer ?? null);
  }

  #method(id: string): TestMethod {
    const method = testMethods.get(id);
    if (method === undefined) throw missing("PaymentMethod", id, "payment_method");
    return method;
  }

  #charge(intent: Stripe.PaymentIntent, returnUrl: string | null): Stripe.PaymentIntent {
    if (returnUrl === null && intent.automatic_payment_methods?.allow_redirects !== "never")
      throw invalid("This PaymentIntent may redirect your customer, so you must provide a `return_url`.", {
        param: "return_url",
      });
    const { payment, isDisputed } = this.#method(String(intent.payment_method));
    if (payment === "succeeds") {
      this.#succeed(intent);
      if (isDisputed) this.openDispute(intent.id);
    } else if (payment === "processes") {
      this.#change(intent, { status: "processing" });
      this.#emit("payment_intent.processing", intent);
    } else if (payment === "needs-authentication") {
      this.#change(intent, {
        status: "requires_action",
        next_action:
          returnUrl === null
            ? { type: "use_stripe_sdk", use_stripe_sdk: {} }
            : {
                type: "redirect_to_url",
                redirect_to_url: { return_url: returnUrl, url: `${this.#origin}/3d_secure/${intent.id}` },
              },
      });
      this.#emit("payment_intent.requires_action", intent);
    } else {
      const { code, declineCode, message } = payment;
      this.#decline(intent, { code, message, decline_code: declineCode });
      throw new StripeFault(402, {
        type: "card_error",
        code,
        decline_code: declineCode,
        message,
        payment_intent: intent,
      });
    }
    return intent;
  }

  #succeed(intent: Stripe.PaymentIntent): void {
    const ids = this.#newIds("ch");
    const fee = Math.round(intent.amount * 0.029) + 30;
    const charge = chargeOf(ids, intent, this.#move("charge", ids.id, intent.amount, intent.currency, fee).id);
    this.charges.set(charge.id, charge);
    this.#change(intent, {
      status: "succeeded",
      amount_received: intent.amount,
      latest_charge: charge.id,
      next_action: null,
    });
    this.#emit("payment_intent.succeeded", intent);
    this.#emit("charge.succeeded", charge);
  }

  #decline(intent: Stripe.PaymentIntent, error: { code: string; message: string; decline_code?: string }): void {
    this.#change(intent, {
      status: "requires_payment_method",
      payment_method: null,
      next_action: null,
      last_payment_error: { type: "card_error", ...error } as Stripe.PaymentIntent.LastPaymentError,
    });
    this.#emit("payment_intent.payment_failed", intent);
  }

  #moveDisputed(source: string, amount: number, currency: string, fee: number): Stripe.BalanceTransaction {
    return this.#move("adjustment", source, amount, currency, fee, amount < 0 ? "dispute" : "dispute_reversal");
  }

  #move(
    type: "charge" | "refund" | "refund_failure" | "adjustment",
    source: string,
    amount: number,
    currency: string,
    fee = 0,
    reporting_category: string = type,
  ): Stripe.BalanceTransaction {
    const fields = { type, source, amount, currency, fee, reporting_category };
    const transaction = balanceTransactionOf(this.#newIds("txn"), fields);
    this.balanceTransactions.set(transaction.id, transaction);
    return transaction;
  }

  #change<T extends object>(object: T, change: Partial<T>): void {
    Object.assign(object, change);
  }

  #emit(type: string, object: object): void {
    this.events.push({
      ...this.#newIds("evt"),
      object: "event",
      api_version: "2026-10-28.endive",
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
    } as unknown as Stripe.Event);
  }

  #newIds(prefix: string): { id: string; created: number } {
    return { id: `${prefix}_${++this.#ids}`, created: this.#seconds() };
  }

  #seconds(): number {
    return Math.floor(this.#nowMs() / 1000);
  }
}

const unexpected = (intent: Stripe.PaymentIntent, message: string): StripeFault =>
  invalid(message, { code: "payment_intent_unexpected_state", payment_intent: intent });

const dollars = (cents: number): string => (cents / 100).toFixed(2);
