/** One order's payment, as sent to a provider. */
export interface Payment {
  orderId: number;
  /** The idempotency key: the provider charges at most once per key. */
  key: string;
  amountCents: number;
  /** ISO 4217, of a currency with two decimals. */
  currency: string;
  /** The provider's identifier of a payment method. */
  method: string;
  /** The provider's own id of the payment, once known. */
  reference: string | null;
}

/** All states but `pending` are final. */
export type PaymentState =
  | { status: "pending"; reference: string | null }
  | { status: "succeeded"; reference: string | null }
  /** `reason` is a sentence for the buyer. */
  | { status: "failed"; reference: string | null; reason: string };

/**
 * Moves money. A call that throws leaves the outcome unknown; `query` finds it out later. Every call ends within 30
 * seconds.
 */
export interface PaymentProvider {
  /** Stored with each order, since only the provider that charged it can settle it. */
  readonly name: "sandbox" | "stripe";
  /** Starts the payment, or returns the state of one already started. Never charges twice. */
  charge(payment: Payment): Promise<PaymentState>;
  /** Null if the payment was never started. */
  query(payment: Payment): Promise<PaymentState | null>;
  /** Cancels a payment that is pending or was never started. Returns `succeeded` if it succeeded first. */
  cancel(payment: Payment): Promise<PaymentState>;
  /** Refunds a succeeded payment in full. Idempotent. */
  refund(payment: Payment): Promise<void>;
}
