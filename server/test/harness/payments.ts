import type { Payment, PaymentProvider, PaymentState } from "../../src/resources/orders/payments/provider.ts";

export const succeeded: PaymentState = { status: "succeeded", reference: "pay_1" };
export const pending: PaymentState = { status: "pending", reference: "pay_1" };
export const failed: PaymentState = { status: "failed", reference: "pay_1", reason: "Your card was declined." };

/** A payment provider that answers what a test tells it to, and remembers what it was asked. */
export class ScriptedPayments implements PaymentProvider {
  readonly name = "stripe";
  /** Calls in order: "charge 7". */
  readonly calls: string[] = [];
  onCharge: (payment: Payment) => PaymentState | Promise<PaymentState> = () => succeeded;
  onQuery: (payment: Payment) => PaymentState | null | Promise<PaymentState | null> = () => null;
  onCancel: (payment: Payment) => PaymentState | Promise<PaymentState> = () => failed;
  onRefund: (payment: Payment) => void | Promise<void> = () => {};

  async charge(payment: Payment): Promise<PaymentState> {
    this.calls.push(`charge ${payment.orderId}`);
    return this.onCharge(payment);
  }

  async query(payment: Payment): Promise<PaymentState | null> {
    this.calls.push(`query ${payment.orderId}`);
    return this.onQuery(payment);
  }

  async cancel(payment: Payment): Promise<PaymentState> {
    this.calls.push(`cancel ${payment.orderId}`);
    return this.onCancel(payment);
  }

  async refund(payment: Payment): Promise<void> {
    this.calls.push(`refund ${payment.orderId}`);
    await this.onRefund(payment);
  }
}

/** What a provider does that cannot be reached. */
export const outOfReach = (): never => {
  throw new Error("connect ETIMEDOUT");
};
