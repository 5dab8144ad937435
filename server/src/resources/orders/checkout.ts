import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Payment, PaymentProvider } from "@beatmarket/payments/provider.ts";
import type { RawBuilder } from "kysely";
import type { Logger } from "pino";
import type { Queryable } from "../../database/connect.ts";
import type { Seller } from "../invoices/invoice.ts";
import type { OrderWithPayment } from "./order.ts";

/** The dependencies of functions that settle orders. */
export interface SettlementDependencies {
  db: Queryable;
  clock: Clock;
  log: Logger;
  /** The first provider charges new orders. The others settle orders that they charged before. */
  payments: readonly [PaymentProvider, ...PaymentProvider[]];
  /** ISO 4217. */
  currency: string;
  /** The operator's commission on new sales of producers without their own rate. */
  commissionBasisPoints: number;
  /** The seller on invoices. Null: no invoices are issued. */
  seller: Seller | null;
  /** The origin of the URLs in events, without a trailing slash. */
  publicUrl: string;
}

/** The dependencies of functions that place orders. */
export interface CheckoutDependencies extends SettlementDependencies {
  /** Absent if no beat has files. */
  objects?: {
    /** Throws when the storage is unreachable. */
    requirePlace(): Promise<void>;
    head(sha256: string): Promise<unknown | null>;
  };
  /** The version of the license terms under which new orders are sold. */
  termsVersion: string;
}

/** A provider whose payments are rows of this database, so that one statement can insert orders and their payments. */
export interface StoredPayments extends PaymentProvider {
  /** Whether a payment with the method succeeds when it is confirmed, without a page of a bank. */
  succeedsAtOnce(method: string): boolean;
  readonly ofPaidOrders: PaidOrders;
}

/**
 * Parts of the statement in which `insertOrders` inserts orders as completed. That statement has the subqueries `new`
 * and `made`.
 */
export interface PaidOrders {
  /** The reference of the payment of an order in `new`. */
  reference: RawBuilder<unknown>;
  /** Inserts the succeeded payments of the orders in `made`. */
  insertPayments: RawBuilder<unknown>;
}

export const storesPayments = (provider: PaymentProvider): provider is StoredPayments => "ofPaidOrders" in provider;

/** The longest time an order stays pending and holds an exclusive license. */
export const pendingForMs = 15 * 60_000;

export const paymentOf = (order: OrderWithPayment): Payment => ({
  orderId: order.id,
  key: order.payment_key,
  amountCents: order.amount_cents,
  currency: order.currency,
  method: order.payment_method,
  reference: order.payment_reference,
  isShared: order.checkout_key !== null,
});

/** Returns the provider that charged the order. Throws if that provider is no longer configured. */
export function requireProvider({ payments }: SettlementDependencies, order: OrderWithPayment): PaymentProvider {
  const provider = payments.find(({ name }) => name === order.payment_provider);
  if (provider === undefined) throw new Error(`The payment provider ${order.payment_provider} is not configured.`);
  return provider;
}
