import type {
  CreatedPayment,
  FailedPayment,
  Movement,
  Payment,
  PaymentPages,
  PaymentProvider,
  PaymentState,
  RefundState,
} from "@beatmarket/payments/provider.ts";

export const succeeded: PaymentState = { status: "succeeded", reference: "pay_1" };
export const pending: PaymentState = { status: "pending", reference: "pay_1", redirectUrl: null };
export const failed: PaymentState = { status: "failed", reference: "pay_1", reason: "Your card was declined." };

/** A payment provider whose responses a test sets, and which records its calls. */
export class ScriptedPayments implements PaymentProvider {
  readonly name = "stripe";
  readonly pages: PaymentPages = {
    open: async ({ key, returnUrl }) => ({ reference: key, url: returnUrl }),
    query: async () => ({ status: "open" }),
    expire: async () => ({ status: "expired" }),
  };
  /** The calls in order, such as "confirm 7". */
  readonly calls: string[] = [];
  onRequirePayable: (method: string) => void | Promise<void> = () => {};
  onCreate: (payment: Payment) => CreatedPayment | FailedPayment | Promise<CreatedPayment | FailedPayment> = () => ({
    status: "created",
    reference: "pay_1",
    clientSecret: "pay_1_secret",
    mustBeStored: true,
  });
  onConfirm: (payment: Payment) => PaymentState | Promise<PaymentState> = () => succeeded;
  onQuery: (payment: Payment) => PaymentState | null | Promise<PaymentState | null> = () => null;
  onCancel: (payment: Payment) => PaymentState | Promise<PaymentState> = () => failed;
  onRefund: (payment: Payment, refund: { key: string; amountCents: number }) => RefundState | Promise<RefundState> = (
    _payment,
    { key, amountCents },
  ) => ({ reference: `refund_${key}`, amountCents, status: "succeeded", reason: null });
  onQueryRefund: (payment: Payment, reference: string) => RefundState | Promise<RefundState> = outOfReach;
  onListRefunds: (payment: Payment) => RefundState[] | Promise<RefundState[]> = () => [];

  async requirePayable(method: string): Promise<void> {
    await this.onRequirePayable(method);
  }

  async create(payment: Payment): Promise<CreatedPayment | FailedPayment> {
    this.calls.push(`create ${payment.orderId}`);
    return this.onCreate(payment);
  }

  async confirm(payment: Payment): Promise<PaymentState> {
    this.calls.push(`confirm ${payment.orderId}`);
    return this.onConfirm(payment);
  }

  async query(payment: Payment): Promise<PaymentState | null> {
    this.calls.push(`query ${payment.orderId}`);
    return this.onQuery(payment);
  }

  async cancel(payment: Payment): Promise<PaymentState> {
    this.calls.push(`cancel ${payment.orderId}`);
    return this.onCancel(payment);
  }

  async refund(payment: Payment, refund: { key: string; amountCents: number }): Promise<RefundState> {
    this.calls.push(`refund ${payment.orderId}`);
    return this.onRefund(payment, refund);
  }

  async queryRefund(payment: Payment, reference: string): Promise<RefundState> {
    this.calls.push(`query refund ${payment.orderId}`);
    return this.onQueryRefund(payment, reference);
  }

  async listRefunds(payment: Payment): Promise<RefundState[]> {
    this.calls.push(`list refunds ${payment.orderId}`);
    return this.onListRefunds(payment);
  }

  async *movements(): AsyncGenerator<Movement> {}
}

/** Fails like an unreachable provider. */
export function outOfReach(): never {
  throw new Error("connect ETIMEDOUT");
}
