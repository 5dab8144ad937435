import { type CheckoutDependencies, pendingForMs, type SettlementDependencies } from "../checkout.ts";
import { kindsOf } from "../fulfilment/fulfilment.ts";
import type { Order, OrderWithPayment } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { settle } from "../settle.ts";
import { charge } from "./charge.ts";
import { createOrder, type OrderRequest } from "./create-order.ts";

/**
 * Buys a license: creates the order, charges the payment, settles the order. Each step commits separately, so no
 * transaction waits for the payment provider. Returns a pending order while the payment is pending. The reconciler
 * finishes orders that an error or a crash left open. Charges nothing while the storage is unreachable, nor for a beat
 * whose files it has lost.
 */
export async function placeOrder(checkout: CheckoutDependencies, request: OrderRequest): Promise<Order> {
  const [provider] = checkout.payments;
  // The sandbox knows all its methods. Asking Stripe costs a request, so it is only asked before a license is held from
  // other buyers.
  if (provider.name === "sandbox" || request.licenseType === "exclusive")
    await provider.requirePayable(request.paymentMethod);
  await checkout.objects?.requirePlace();
  const nowMs = checkout.clock.nowMs();
  const order = await createOrder(checkout.db, request, {
    currency: checkout.currency,
    paymentProvider: provider.name,
    now: new Date(nowMs),
    heldUntil: new Date(nowMs + pendingForMs),
    termsVersion: checkout.termsVersion,
    commissionBasisPoints: checkout.commissionBasisPoints,
  });
  if (order.status !== "pending") return order;
  const missingFiles = await lostFiles(checkout, order);
  if (missingFiles.length === 0) return chargeOrLeave(checkout, order);
  checkout.log.error(
    { orderId: order.id, beatId: order.beat_id, lost: missingFiles },
    "a beat was not sold, as the storage has lost files of it: restore them from a backup; `beatmarket storage verify` lists all such",
  );
  return settle(checkout, order.id, { status: "failed", reason: filesLost, reference: null }, "placing");
}

const filesLost = "The files of this beat are not available at the moment. Nothing was charged.";

/** The files of the order that the storage lacks. None once a payment has begun, since it must be completed. */
async function lostFiles({ objects }: CheckoutDependencies, order: OrderWithPayment): Promise<string[]> {
  if (objects === undefined || order.payment_reference !== null) return [];
  const sold = [order.master_sha256, kindsOf[order.license_type].includes("stems") ? order.stems_sha256 : null];
  const hashes = sold.filter((sha256) => sha256 !== null);
  const heads = await Promise.all(hashes.map((sha256) => objects.head(sha256)));
  return hashes.filter((_, index) => heads[index] === null);
}

/** The order in its present state when the outcome of its payment is unknown. */
async function chargeOrLeave(checkout: SettlementDependencies, order: OrderWithPayment): Promise<Order> {
  try {
    return await charge(checkout, order, "placing");
  } catch (error) {
    checkout.log.warn({ err: error, orderId: order.id }, "payment outcome unknown; the reconciler will query it");
    return selectOrdersWithPayment(checkout.db).where("id", "=", order.id).executeTakeFirstOrThrow();
  }
}
