import type { Queryable } from "../../../database/connect.ts";
import type { Payment, PaymentProvider, PaymentState } from "./provider.ts";

/** Stripe's names for test cards that do not simply succeed; any other name does. */
const outcomes: Record<string, { status: "pending" } | { status: "failed"; reason: string }> = {
  pm_card_visa_chargeDeclined: { status: "failed", reason: "Your card was declined." },
  pm_card_visa_chargeDeclinedInsufficientFunds: { status: "failed", reason: "Your card has insufficient funds." },
  pm_card_authenticationRequired: { status: "pending" },
};

/** A payment provider that moves no money. Its memory is a table, as a real one's is out of reach of our crashes. */
export class Sandbox implements PaymentProvider {
  readonly name = "sandbox";
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async charge(payment: Payment): Promise<PaymentState> {
    const outcome = Object.hasOwn(outcomes, payment.method) ? outcomes[payment.method] : undefined;
    const status = outcome?.status ?? "succeeded";
    const reason = outcome?.status === "failed" ? outcome.reason : null;
    const started = await this.#remember(payment, status, reason);
    return started ? stateOf(payment.orderId, { status, failure_reason: reason }) : this.#recall(payment);
  }

  async query({ orderId }: Payment): Promise<PaymentState | null> {
    const known = await this.#find(orderId);
    return known === undefined ? null : stateOf(orderId, known);
  }

  async cancel(payment: Payment): Promise<PaymentState> {
    const reason = "The payment was not confirmed in time.";
    await this.#remember(payment, "failed", reason);
    await this.#db
      .updateTable("sandbox_payments")
      .set({ status: "failed", failure_reason: reason })
      .where("order_id", "=", payment.orderId)
      .where("status", "=", "pending")
      .execute();
    return this.#recall(payment);
  }

  async refund({ orderId }: Payment): Promise<void> {
    await this.#db
      .updateTable("sandbox_payments")
      .set({ refunded: true })
      .where("order_id", "=", orderId)
      .where("status", "=", "succeeded")
      .execute();
  }

  /** What the buyer does at their bank; false when there is nothing to confirm. */
  async confirm(orderId: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable("sandbox_payments")
      .set({ status: "succeeded" })
      .where("order_id", "=", orderId)
      .where("status", "=", "pending")
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** False when the payment was started before; then nothing changes. */
  async #remember(payment: Payment, status: PaymentState["status"], reason: string | null): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto("sandbox_payments")
      .values({
        order_id: payment.orderId,
        amount_cents: payment.amountCents,
        currency: payment.currency,
        payment_method: payment.method,
        status,
        failure_reason: reason,
      })
      .onConflict((started) => started.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async #recall({ orderId }: Payment): Promise<PaymentState> {
    const known = await this.#find(orderId);
    if (known === undefined) throw new Error(`The sandbox lost the payment of order ${orderId}.`);
    return stateOf(orderId, known);
  }

  #find(orderId: number) {
    return this.#db
      .selectFrom("sandbox_payments")
      .select(["status", "failure_reason"])
      .where("order_id", "=", orderId)
      .executeTakeFirst();
  }
}

function stateOf(
  orderId: number,
  { status, failure_reason }: { status: string; failure_reason: string | null },
): PaymentState {
  const reference = `sandbox_${orderId}`;
  if (status === "succeeded" || status === "pending") return { status, reference };
  return { status: "failed", reference, reason: failure_reason ?? "The payment failed." };
}
