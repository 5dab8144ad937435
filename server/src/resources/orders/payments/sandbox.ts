import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import type { Payment, PaymentProvider, PaymentState } from "./provider.ts";

/** Stripe's test cards that do not succeed. Any other payment method does. */
const outcomes: Record<string, { status: "pending" } | { status: "failed"; reason: string }> = {
  pm_card_visa_chargeDeclined: { status: "failed", reason: "Your card was declined." },
  pm_card_visa_chargeDeclinedInsufficientFunds: { status: "failed", reason: "Your card has insufficient funds." },
  pm_card_authenticationRequired: { status: "pending" },
};

/** A payment provider that moves no money. Its state is a table, so it survives a crash as a real provider's does. */
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
    const started = await this.#insert(payment, status, reason);
    return started ? stateOf(payment.orderId, { status, failure_reason: reason }) : this.#stateAfter(payment);
  }

  async query({ orderId }: Payment): Promise<PaymentState | null> {
    const known = await this.#find(orderId);
    return known === undefined ? null : stateOf(orderId, known);
  }

  async cancel(payment: Payment): Promise<PaymentState> {
    const reason = "The payment was not confirmed in time.";
    await this.#insert(payment, "failed", reason);
    await this.#db
      .updateTable("sandbox_payments")
      .set({ status: "failed", failure_reason: reason })
      .where("order_id", "=", payment.orderId)
      .where("status", "=", "pending")
      .execute();
    return this.#stateAfter(payment);
  }

  async refund({ orderId }: Payment): Promise<void> {
    await this.#db
      .updateTable("sandbox_payments")
      .set({ refunded: true })
      .where("order_id", "=", orderId)
      .where("status", "=", "succeeded")
      .execute();
  }

  /** Confirms a pending payment, as the buyer would at their bank. False if there is none. */
  async confirm(orderId: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable("sandbox_payments")
      .set({ status: "succeeded" })
      .where("order_id", "=", orderId)
      .where("status", "=", "pending")
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** False if the payment was already started; then nothing changes. */
  async #insert(payment: Payment, status: PaymentState["status"], reason: string | null): Promise<boolean> {
    // No need to wait for the WAL flush: the next commit, such as the order's completion, flushes this one too.
    const { numAffectedRows } = await sql`
      with commit_mode as (select set_config('synchronous_commit', 'off', true))
      insert into sandbox_payments (order_id, amount_cents, currency, payment_method, status, failure_reason)
      select ${payment.orderId}::bigint, ${payment.amountCents}::integer, ${payment.currency}, ${payment.method},
        ${status}, ${reason}
      from commit_mode
      on conflict do nothing`.execute(this.#db);
    return numAffectedRows === 1n;
  }

  async #stateAfter({ orderId }: Payment): Promise<PaymentState> {
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
