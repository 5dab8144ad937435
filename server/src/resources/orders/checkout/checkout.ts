import type { Logger } from "pino";
import type { Clock } from "../../../clock.ts";
import type { Queryable } from "../../../database/connection/connect.ts";
import type { PaidOrder } from "../order.ts";
import type { Payment, PaymentProvider } from "../payments/provider.ts";

/** What buying needs. */
export interface Checkout {
  db: Queryable;
  clock: Clock;
  log: Logger;
  /** New orders are paid by the first; the others answer for orders they were asked to charge before. */
  payments: readonly [PaymentProvider, ...PaymentProvider[]];
  /** ISO 4217. */
  currency: string;
}

/** How long an order may stay pending, and an exclusive be held for it. */
export const pendingForMs = 15 * 60_000;

export const paymentOf = (order: PaidOrder): Payment => ({
  orderId: order.id,
  key: order.payment_key,
  amountCents: order.amount_cents,
  currency: order.currency,
  method: order.payment_method,
  reference: order.payment_reference,
});

/** The provider that was asked to charge the order; undefined when it is not configured any more. */
export const providerOf = ({ payments }: Checkout, order: PaidOrder): PaymentProvider | undefined =>
  payments.find(({ name }) => name === order.payment_provider);
