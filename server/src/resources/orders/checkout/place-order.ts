import type { Order, PaidOrder } from "../order.ts";
import { selectPaidOrders } from "../queries.ts";
import { charge } from "./charge.ts";
import { type Checkout, pendingForMs, type Shop } from "./checkout.ts";
import { createOrder, type OrderRequest } from "./create-order.ts";

/**
 * Buys a license: creates the order, charges the payment, settles the order. Each step commits on its own, so no
 * transaction waits for the payment provider. Returns a pending order while the payment is pending; the reconciler
 * finishes orders that an error or a crash left open.
 */
export async function placeOrder(checkout: Shop, request: OrderRequest): Promise<Order> {
  const [provider] = checkout.payments;
  // The sandbox knows all its methods. Asking Stripe costs a request, which only what is held back from others is worth.
  if (provider.name === "sandbox" || request.licenseType === "exclusive")
    await provider.requirePayable(request.paymentMethod);
  const nowMs = checkout.clock.nowMs();
  const order = await createOrder(checkout.db, request, {
    currency: checkout.currency,
    paymentProvider: provider.name,
    now: new Date(nowMs),
    heldUntil: new Date(nowMs + pendingForMs),
    termsVersion: checkout.termsVersion,
  });
  return order.status === "pending" ? chargeOrLeave(checkout, order) : order;
}

/** The order as it is when the outcome of its payment is unknown. */
async function chargeOrLeave(checkout: Checkout, order: PaidOrder): Promise<Order> {
  try {
    return await charge(checkout, order, "placing");
  } catch (error) {
    checkout.log.warn({ err: error, orderId: order.id }, "payment outcome unknown; the reconciler will query it");
    return selectPaidOrders(checkout.db).where("id", "=", order.id).executeTakeFirstOrThrow();
  }
}
