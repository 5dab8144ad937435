import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";

export const orderStatuses = ["completed", "pending", "failed"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/**
 * A purchase. Title, producer and price are copies from the time of purchase, which later changes of the beat do not
 * affect.
 */
export interface Order {
  id: number;
  /** The buyer. */
  user_id: number;
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  license_type: LicenseType;
  amount_cents: number;
  currency: string;
  status: OrderStatus;
  /** A sentence. Null unless the order failed. */
  failure_reason: string | null;
  payment_method: string;
  created_at: Date;
  /** Null unless the order is completed. */
  completed_at: Date | null;
  /** The sum of completed refunds and lost disputes, at most the price. */
  refunded_cents: number;
  /** The time of the last completed refund or lost dispute. Null if there is none. */
  refunded_at: Date | null;
  /** The provider's secret with which a buyer's browser finishes the payment. Null unless the order is pending. */
  client_secret: string | null;
  /** Whether a pending payment waits for its buyer, for example for 3-D Secure. */
  awaits_buyer: boolean;
  /**
   * Our name of the payment. The provider stores it with the payment. It cannot be guessed, so it serves as the secret
   * in the URL of the payment page.
   */
  payment_key: string;
}

/** An order with its payment. */
export interface OrderWithPayment extends Order {
  payment_provider: string;
  /** The provider's id of the payment. Null before the payment is created, and for a free order. */
  payment_reference: string | null;
  /** The request that placed the order. Null for orders older than this column. */
  request_id: string | null;
  /** The `traceparent` of that request. Null if tracing was off. */
  trace_context: string | null;
  /** The payment key of the checkout that paid for this order and others. Null for an order with its own payment. */
  checkout_key: string | null;
  /** The id of the license that the order's license replaces. Null if it replaces none. */
  upgrades_license: string | null;
  /** The hashes of the files at the time of purchase. Null if the beat had no such file. */
  master_sha256: string | null;
  stems_sha256: string | null;
}

export const orderColumns = [
  "orders.id",
  "orders.user_id",
  "orders.beat_id",
  "orders.title",
  "orders.producer_id",
  "orders.producer_name",
  "orders.license_type",
  "orders.amount_cents",
  "orders.currency",
  "orders.status",
  "orders.failure_reason",
  "orders.payment_method",
  "orders.created_at",
  "orders.completed_at",
  "orders.refunded_cents",
  "orders.refunded_at",
  "orders.client_secret",
  "orders.awaits_buyer",
  "orders.payment_key",
] as const;

export const orderWithPaymentColumns = [
  ...orderColumns,
  "orders.payment_provider",
  "orders.payment_reference",
  "orders.request_id",
  "orders.trace_context",
  "orders.checkout_key",
  "orders.upgrades_license",
  "orders.master_sha256",
  "orders.stems_sha256",
] as const;

/** Whether the whole amount was refunded. Also true for a refunded order that cost nothing. */
export const isFullyRefunded = ({
  amount_cents,
  refunded_cents,
  refunded_at,
}: Pick<Order, "amount_cents" | "refunded_cents" | "refunded_at">): boolean =>
  refunded_at !== null && refunded_cents === amount_cents;

/** The path of the page on which a buyer finishes a payment. */
export const paymentPagePath = (paymentKey: string): string => `/pay/${paymentKey}`;
