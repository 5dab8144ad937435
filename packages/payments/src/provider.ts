// One payment of a checkout pays for several orders. A movement of the whole payment, such as a dispute, may be shared
// among the orders. The reference of each share is the provider's reference with the order's id: `dp_1:42`.

const separator = ":";

export const shareReference = (reference: string, orderId: number): string => `${reference}${separator}${orderId}`;

/** The provider's reference of the whole to which a share belongs. */
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
  /** The provider's own id of the payment; null until `create` gave it. */
  reference: string | null;
  /** Whether the payment also paid for other orders of the same checkout. */
  isShared: boolean;
}

/** All states but `pending` are final. */
export type PaymentState =
  /**
   * `redirectUrl`: where the buyer has to go, such as for 3-D Secure; null while the provider is processing the payment.
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
  /** It must be stored before it is confirmed, since it cannot be found at the provider without its reference. */
  mustBeKept: boolean;
}

/** A page of the provider on which a person pays for several licenses at once. */
export interface PaymentPage {
  /** Our key, unique and unguessable. The provider stores it with the payment. */
  key: string;
  /** The provider's own id of the page; null until `open` gave it. */
  reference: string | null;
  amountCents: number;
  /** ISO 4217, of a currency with two decimals. */
  currency: string;
  /** One line for each license. Their amounts sum to `amountCents`. */
  lines: readonly { name: string; description: string; amountCents: number }[];
  /** The buyer's address; null where the page asks for it. */
  email: string | null;
  createdAt: Date;
  /** The time after which nobody can begin to pay. */
  expiresAt: Date;
  /** Our page, to which the browser returns after the payment. */
  returnUrl: string;
  /** Where the browser returns without a payment. */
  cancelUrl: string;
}

/** All states but `open` and `processing` are final. */
export type PageState =
  | { status: "open" }
  /** The buyer has confirmed, and the money has not arrived yet. */
  | { status: "processing" }
  /** `method`: the provider's identifier of the payment method; `email`: the address that the buyer gave there. */
  | { status: "succeeded"; reference: string; method: string; email: string | null }
  | { status: "expired" };

/** The payment pages of a provider. */
export interface PaymentPages {
  /**
   * Makes the page of a checkout, or returns the existing one. May be repeated. Throws 409 for a payment that the
   * provider refuses.
   */
  open(page: PaymentPage): Promise<{ reference: string; url: string }>;
  query(page: PaymentPage): Promise<PageState>;
  /** Closes the page of a checkout that is not paid. Returns `succeeded` or `processing` if the buyer was faster. */
  expire(page: PaymentPage): Promise<PageState>;
}

/** One refund at the provider. A succeeded one may fail later, when the buyer's bank sends it back. */
export interface RefundState {
  /** The provider's id; null for a refund that it refused to make. */
  reference: string | null;
  amountCents: number;
  status: "pending" | "succeeded" | "failed";
  /** A sentence for the operator; null unless failed. */
  reason: string | null;
}

/** A payment that the buyer's bank takes back. */
export interface DisputeState {
  reference: string;
  amountCents: number;
  /** The provider's term, such as `fraudulent`. */
  reason: string;
  status: "open" | "won" | "lost";
  /** Whether the provider holds the money now. */
  isWithdrawn: boolean;
  openedAt: Date;
}

export type MovementKind = "charge" | "refund" | "refund_reversal" | "dispute" | "dispute_reversal";

/** Money that the provider received or paid out. */
export interface Movement {
  kind: MovementKind;
  /** The provider's id of the payment, refund or dispute. */
  reference: string;
  /** Our key, where the provider has stored it; null for payments that another program made, and for disputes. */
  paymentKey: string | null;
  /** The provider's id of the payment; null where there is none. */
  paymentReference: string | null;
  amountCents: number;
  /** ISO 4217. */
  currency: string;
  at: Date;
}

/**
 * Moves money. A call that throws leaves the outcome unknown; `query` finds it out later. Every call ends within 30
 * seconds.
 */
export interface PaymentProvider {
  /** Stored with each order, since only the provider that charged it can settle it. */
  readonly name: "sandbox" | "stripe";
  readonly pages: PaymentPages;
  /**
   * Throws 400 naming `payment_method` if nobody can pay with it, 503 if the provider cannot be asked. Called before an
   * exclusive license is held; with the sandbox, which knows all methods, for every order.
   */
  requirePayable(method: string): Promise<void>;
  /**
   * Begins a payment that moves no money before `confirm`. May be repeated, since a payment that is never confirmed
   * costs nothing.
   */
  create(payment: Payment): Promise<CreatedPayment | FailedPayment>;
  /**
   * Charges the payment of `reference` once, however often it is called. A bank's page redirects the buyer to
   * `returnUrl`.
   */
  confirm(payment: Payment, returnUrl: string): Promise<PaymentState>;
  /** Null if the payment was never confirmed. */
  query(payment: Payment): Promise<PaymentState | null>;
  /** Cancels a payment that is pending or was never confirmed. Returns `succeeded` if it succeeded first. */
  cancel(payment: Payment): Promise<PaymentState>;
  /**
   * Refunds a part of a succeeded payment, or all of it. Idempotent by `key`. Once a response is known, the next attempt
   * needs a new key.
   */
  refund(payment: Payment, refund: { key: string; amountCents: number }): Promise<RefundState>;
  queryRefund(payment: Payment, reference: string): Promise<RefundState>;
  /**
   * All refunds of a payment, including those made at the provider, oldest first. Finds a refund whose response was
   * lost.
   */
  listRefunds(payment: Payment): Promise<RefundState[]>;
  /** All movements from `from` on and before `to`, in any order, for the daily comparison. */
  movements(from: Date, to: Date): AsyncIterable<Movement>;
}
