// One payment of a checkout pays for several orders. A movement of the whole payment, such as a dispute, may be divided
// among the orders. The reference of each share is the provider's reference with the order's id: `dp_1:42`.

const separator = ":";

export const shareReference = (reference: string, orderId: number): string => `${reference}${separator}${orderId}`;

/** The provider's reference of the movement to which a share belongs. */
export const wholeReference = (reference: string): string => reference.split(separator, 1)[0] ?? reference;

/** One order's payment, as sent to a provider. */
export interface Payment {
  orderId: number;
  /** Our key, unique and unguessable. The provider stores it with the payment. */
  key: string;
  amountCents: number;
  /** ISO 4217, of a currency with two decimals. */
  currency: string;
  /** The provider's identifier of a payment method. */
  method: string;
  /** The provider's own id of the payment; null until `create` has returned it. */
  reference: string | null;
  /** Whether the payment also paid for other orders of the same checkout. */
  isShared: boolean;
}

/** All states but `pending` are final. */
export type PaymentState =
  /**
   * `redirectUrl`: the page that the buyer must visit, such as for 3-D Secure; null while the provider processes the
   * payment.
   */
  | { status: "pending"; reference: string | null; redirectUrl: string | null }
  | { status: "succeeded"; reference: string | null }
  | FailedPayment;

/** `reason` is a sentence for the buyer. */
export interface FailedPayment {
  status: "failed";
  reference: string | null;
  reason: string;
}

/** A payment that is ready to be confirmed. `clientSecret` is for the buyer's browser; null if there is none. */
export interface CreatedPayment {
  status: "created";
  reference: string;
  clientSecret: string | null;
  /** Whether `reference` must be stored before the confirmation: without it the provider cannot look up the payment. */
  mustBeStored: boolean;
}

/** A page of the provider on which a person pays for several licenses at once. */
export interface PaymentPage {
  /** Our key, unique and unguessable. The provider stores it with the payment. */
  key: string;
  /** The provider's own id of the page; null until `open` has returned it. */
  reference: string | null;
  amountCents: number;
  /** ISO 4217, of a currency with two decimals. */
  currency: string;
  /** One line for each license. Their amounts sum to `amountCents`. */
  lines: readonly { name: string; description: string; amountCents: number }[];
  /** The buyer's mail address; null if the page asks for it. */
  email: string | null;
  createdAt: Date;
  /** The time after which a payment can no longer begin. */
  expiresAt: Date;
  /** Our page, to which the browser returns after the payment. */
  returnUrl: string;
  /** The page to which the browser returns if the buyer cancels. */
  cancelUrl: string;
}

/** All states but `open` and `processing` are final. */
export type PageState =
  | { status: "open" }
  /** The buyer has confirmed. The money has not arrived yet. */
  | { status: "processing" }
  /**
   * `method`: the provider's identifier of the payment method. `email`: the mail address that the buyer entered there.
   */
  | { status: "succeeded"; reference: string; method: string; email: string | null }
  | { status: "expired" };

/** The payment pages of a provider. */
export interface PaymentPages {
  /**
   * Creates the page of a checkout, or returns the existing page. May be repeated. Throws 409 if the provider refuses
   * the payment.
   */
  open(page: PaymentPage): Promise<{ reference: string; url: string }>;
  query(page: PaymentPage): Promise<PageState>;
  /** Closes the page of an unpaid checkout. Returns `succeeded` or `processing` if the buyer paid first. */
  expire(page: PaymentPage): Promise<PageState>;
}

/** One refund at the provider. A succeeded refund may fail later, if the buyer's bank returns it. */
export interface RefundState {
  /** The provider's id; null if the provider refused the refund. */
  reference: string | null;
  amountCents: number;
  status: "pending" | "succeeded" | "failed";
  /** A sentence for the operator; null unless the refund failed. */
  reason: string | null;
}

/** A dispute (chargeback): the buyer's bank reclaims a payment. */
export interface DisputeState {
  reference: string;
  amountCents: number;
  /** The provider's term, such as `fraudulent`. */
  reason: string;
  status: "open" | "won" | "lost";
  /** Whether the provider has withdrawn the money from the account. */
  isWithdrawn: boolean;
  openedAt: Date;
}

export type MovementKind = "charge" | "refund" | "refund_reversal" | "dispute" | "dispute_reversal";

/** Money that the provider received or paid out. */
export interface Movement {
  kind: MovementKind;
  /** The provider's id of the payment, refund or dispute. */
  reference: string;
  /** Our key, if the provider has stored it; null for disputes and for payments of other programs. */
  paymentKey: string | null;
  /** The provider's id of the payment; null for a movement without a payment. */
  paymentReference: string | null;
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  at: Date;
}

/**
 * Moves money. The outcome of a call that throws is unknown: `query` returns it later. Every call ends within 30
 * seconds.
 */
export interface PaymentProvider {
  /** Stored with each order, since only the provider that charged an order can settle it. */
  readonly name: "sandbox" | "stripe";
  readonly pages: PaymentPages;
  /**
   * Throws 400 naming `payment_method` if the method does not exist or cannot be used, 503 if the provider does not
   * respond. Called before an exclusive license is reserved; with the sandbox, for every order.
   */
  requirePayable(method: string): Promise<void>;
  /**
   * Begins a payment, which moves no money before `confirm`. May be repeated, since an unconfirmed payment costs
   * nothing.
   */
  create(payment: Payment): Promise<CreatedPayment | FailedPayment>;
  /**
   * Charges the payment of `reference`. Idempotent. The page of a bank redirects the buyer to `returnUrl`.
   */
  confirm(payment: Payment, returnUrl: string): Promise<PaymentState>;
  /** Null if the payment was never confirmed. */
  query(payment: Payment): Promise<PaymentState | null>;
  /** Cancels a pending or unconfirmed payment. Returns `succeeded` if the payment succeeded first. */
  cancel(payment: Payment): Promise<PaymentState>;
  /**
   * Refunds a succeeded payment in part or in full. Idempotent by `key`. After a response, a further attempt needs a
   * new key.
   */
  refund(payment: Payment, refund: { key: string; amountCents: number }): Promise<RefundState>;
  queryRefund(payment: Payment, reference: string): Promise<RefundState>;
  /**
   * All refunds of a payment, oldest first. Includes refunds whose response was lost, and refunds that a person made at
   * the provider.
   */
  listRefunds(payment: Payment): Promise<RefundState[]>;
  /** All movements from `from` (inclusive) to `to` (exclusive), in any order, for the daily comparison. */
  movements(from: Date, to: Date): AsyncIterable<Movement>;
}
