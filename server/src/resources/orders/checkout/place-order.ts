import type { Order, PaidOrder } from "../order.ts";
import type { PaymentState } from "../payments/provider.ts";
import { type Checkout, paymentOf, pendingForMs, providerOf, type Shop } from "./checkout.ts";
import { createOrder, type OrderRequest } from "./create-order.ts";
import { settle } from "./settle.ts";

/**
 * Buys a license: creates the order, charges the payment, settles the order. Each step commits on its own, so no
 * transaction waits for the payment provider. Returns a pending order while the payment is pending; the reconciler
 * finishes orders that an error or a crash left open.
 */
export async function placeOrder(checkout: Shop, request: OrderRequest): Promise<Order> {
  const nowMs = checkout.clock.nowMs();
  const order = await createOrder(checkout.db, request, {
    currency: checkout.currency,
    paymentProvider: checkout.payments[0].name,
    now: new Date(nowMs),
    heldUntil: new Date(nowMs + pendingForMs),
    termsVersion: checkout.termsVersion,
  });
  if (order.status !== "pending") return order;
  const state = await charge(checkout, order);
  return state === null ? order : settle(checkout, order.id, state);
}

/** Null if the outcome is unknown. */
async function charge(checkout: Checkout, order: PaidOrder): Promise<PaymentState | null> {
  if (order.amount_cents === 0) return nothingToPay;
  try {
    return (await providerOf(checkout, order)?.charge(paymentOf(order))) ?? null;
  } catch (error) {
    checkout.log.warn({ err: error, orderId: order.id }, "payment outcome unknown; the reconciler will query it");
    return null;
  }
}

/** A free order needs no provider. */
export const nothingToPay: PaymentState = { status: "succeeded", reference: null };
