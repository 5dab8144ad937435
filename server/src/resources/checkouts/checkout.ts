import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import type { PaymentPage } from "@beatmarket/payments/provider.ts";
import type { AppliedDiscount } from "../discounts/find-rules.ts";
import type { CheckoutDependencies } from "../orders/checkout.ts";
import type { Order } from "../orders/order.ts";

export const checkoutStatuses = ["open", "completed", "expired", "cancelled"] as const;
export type CheckoutStatus = (typeof checkoutStatuses)[number];

/** The maximum number of licenses in one payment. */
export const maxItems = 50;
/** The lifetime of a checkout without an exclusive license. With one, the checkout ends with the hold on the beat. */
export const openForMs = 24 * 3_600_000;

export interface CheckoutItem {
  beat_id: number;
  license_type: LicenseType;
  /** The amount to pay. */
  amount_cents: number;
  /** The reduction by discounts. `amount_cents` is the amount after it. */
  discount_cents: number;
  /** The title at the time of the checkout. */
  title: string;
  producer_name: string;
  /** The order that the payment creates. */
  order_id: number;
  /** The producer's limits at the time of the checkout; null for the limits of the terms. */
  license_limits: ChangedLimits | null;
  /** The license that the item upgrades or renews; null for a new license. */
  upgrades_license: string | null;
  /** The credit for that license. `amount_cents` is the amount after it. */
  credit_cents: number;
}

/** One payment of one or more licenses. */
export interface Checkout {
  id: number;
  /** The buyer; null until the payment of a buyer without an account. */
  user_id: number | null;
  email: string | null;
  /** The name on the licenses, for a buyer without an account. */
  buyer_name: string | null;
  payment_key: string;
  status: CheckoutStatus;
  amount_cents: number;
  currency: string;
  payment_provider: string;
  /** The provider's id of the page, and the page's URL. Null until the provider has created the page. */
  page_reference: string | null;
  url: string | null;
  success_url: string | null;
  cancel_url: string | null;
  terms_version: string;
  /** A sentence; null unless cancelled. */
  failure_reason: string | null;
  request_id: string | null;
  trace_context: string | null;
  /** The time zone of the buyer's browser, for the times in the receipt. */
  time_zone: string | null;
  /** The language of the page on which the buyer bought; null for a program. */
  language: string | null;
  created_at: Date;
  expires_at: Date;
}

export const checkoutColumns = [
  "id",
  "user_id",
  "email",
  "buyer_name",
  "payment_key",
  "status",
  "amount_cents",
  "currency",
  "payment_provider",
  "page_reference",
  "url",
  "success_url",
  "cancel_url",
  "terms_version",
  "failure_reason",
  "request_id",
  "time_zone",
  "language",
  "trace_context",
  "created_at",
  "expires_at",
] as const;

/** A checkout with its items and discounts, and after the payment with its orders. */
export interface CheckoutWithItems extends Checkout {
  items: CheckoutItem[];
  discounts: AppliedDiscount[];
  orders: Order[];
}

/**
 * The path of a checkout's page. In the payment sandbox, the buyer pays there. After the payment, the page has the
 * files.
 */
export const checkoutPagePath = (paymentKey: string): string => `/pay/checkouts/${paymentKey}`;

/** The payment provider of a checkout. Throws if the provider is no longer configured. */
export function providerOf({ payments }: Pick<CheckoutDependencies, "payments">, checkout: Checkout) {
  const provider = payments.find(({ name }) => name === checkout.payment_provider);
  if (provider === undefined) throw new Error(`The payment provider ${checkout.payment_provider} is not configured.`);
  return provider;
}

/** The payment page of a checkout, as its provider needs it. */
export const pageOf = (checkout: Checkout & { items: CheckoutItem[] }, publicUrl: string): PaymentPage => ({
  key: checkout.payment_key,
  reference: checkout.page_reference,
  amountCents: checkout.amount_cents,
  currency: checkout.currency,
  lines: checkout.items.map(({ title, license_type, producer_name, amount_cents, upgrades_license }) => ({
    name: title,
    description: `${license_type} license${upgrades_license === null ? "" : ", in place of your present one"}, prod. by ${producer_name}`,
    amountCents: amount_cents,
  })),
  email: checkout.email,
  createdAt: checkout.created_at,
  expiresAt: checkout.expires_at,
  returnUrl: publicUrl + checkoutPagePath(checkout.payment_key),
  cancelUrl: checkout.cancel_url ?? `${publicUrl}/basket`,
});
