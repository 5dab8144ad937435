import type { Order, PaidOrder } from "../order.ts";
import type { PaymentState } from "../payments/provider.ts";
import { type Checkout, paymentOf, pendingForMs, providerOf } from "./checkout.ts";
import { createOrder, type OrderRequest } from "./create-order.ts";
import { settle } from "./settle.ts";

/**
 * Buys a licence (DESIGN section 2, POST /orders): the order is written, then paid, then settled, each on its own, so
 * that no transaction waits for the provider. The answer is pending when the provider's is; whatever interrupts this,
 * the reconciler brings it to its end.
 */
export async function placeOrder(checkout: Checkout, request: OrderRequest): Promise<Order> {
  const nowMs = checkout.clock.nowMs();
  const order = await createOrder(checkout.db, request, {
    currency: checkout.currency,
    paymentProvider: checkout.payments[0].name,
    now: new Date(nowMs),
    heldUntil: new Date(nowMs + pendingForMs),
  });
  if (order.status !== "pending") return order;
  const state = await charge(checkout, order);
  return state === null ? order : settle(checkout, order.id, state);
}

/** Null when the provider did not say what came of it. */
async function charge(checkout: Checkout, order: PaidOrder): Promise<PaymentState | null> {
  if (order.amount_cents === 0) return nothingToPay;
  try {
    return (await providerOf(checkout, order)?.charge(paymentOf(order))) ?? null;
  } catch (error) {
    checkout.log.warn({ err: error, orderId: order.id }, "payment left open; the reconciler will ask for it");
    return null;
  }
}

/** What is free needs no provider. */
export const nothingToPay: PaymentState = { status: "succeeded", reference: null };
