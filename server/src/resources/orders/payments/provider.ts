/** One payment of one order, as a provider is asked for it. */
export interface Payment {
  orderId: number;
  /** Names this payment to the provider: whatever happens, it is made at most once under this key. */
  key: string;
  amountCents: number;
  /** ISO 4217, of a currency with two decimals. */
  currency: string;
  /** The provider's identifier of a payment method. */
  method: string;
  /** The provider's own name for the payment, once known. */
  reference: string | null;
}

/** What has become of a payment. Only `pending` changes. */
export type PaymentState =
  | { status: "pending"; reference: string | null }
  | { status: "succeeded"; reference: string | null }
  /** `reason` is a sentence that the buyer may read. */
  | { status: "failed"; reference: string | null; reason: string };

/**
 * Moves money. Every call may fail or time out without telling what came of it: it throws, and `query` tells later.
 * Nothing here waits for longer than half a minute.
 */
export interface PaymentProvider {
  /** Kept with each order: only the provider that was asked knows what became of it. */
  readonly name: "sandbox" | "stripe";
  /** Starts the payment, or tells what became of it when it was started before: it never charges twice. */
  charge(payment: Payment): Promise<PaymentState>;
  /** Null when the payment was never started. */
  query(payment: Payment): Promise<PaymentState | null>;
  /** Ends a payment that is pending or was never started. One that has succeeded meanwhile stays, and says so. */
  cancel(payment: Payment): Promise<PaymentState>;
  /** Gives back all of a payment that succeeded; again and again is once. */
  refund(payment: Payment): Promise<void>;
}
