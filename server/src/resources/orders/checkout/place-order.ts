import { type CheckoutDependencies, pendingForMs, type SettlementDependencies } from "../checkout.ts";
import { kindsOf } from "../fulfilment/fulfilment.ts";
import type { Order, OrderWithPayment } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { settle } from "../settle.ts";
import { charge } from "./charge.ts";
import { createOrder, type OrderRequest } from "./create-order.ts";

/**
 * Buys a license: creates the order, charges the payment, settles the order. Each step commits separately, so no
 * transaction waits for the payment provider. Returns a pending order while the payment is pending. After an error or a
 * crash, the reconciler finishes the order. Throws if the storage is unreachable. Charges nothing for a beat whose
 * files are lost.
 */
export async function placeOrder(checkout: CheckoutDependencies, request: OrderRequest): Promise<Order> {
  const [provider] = checkout.payments;
  // The sandbox checks methods without a request. Stripe needs a request for the check, so only exclusive licenses have
  // it, which are held during the payment.
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
  const missingFiles = await findLostFiles(checkout, order);
  if (missingFiles.length === 0) return chargeOrLeave(checkout, order);
  checkout.log.error(
    { orderId: order.id, beatId: order.beat_id, lost: missingFiles },
    "a beat was not sold, as the storage has lost files of it: restore them from a backup; `beatmarket storage verify` lists all such",
  );
  return settle(checkout, order.id, { status: "failed", reason: filesLostReason, reference: null }, "placing");
}

const filesLostReason = "The files of this beat are not available at the moment. Nothing was charged.";

/**
 * Returns the hashes of the order's files that the storage has lost. Returns none after a payment was created, because
 * that payment must be completed.
 */
async function findLostFiles({ objects }: CheckoutDependencies, order: OrderWithPayment): Promise<string[]> {
  if (objects === undefined || order.payment_reference !== null) return [];
  const sold = [order.master_sha256, kindsOf[order.license_type].includes("stems") ? order.stems_sha256 : null];
  const hashes = sold.filter((sha256) => sha256 !== null);
  const heads = await Promise.all(hashes.map((sha256) => objects.head(sha256)));
  return hashes.filter((_, index) => heads[index] === null);
}

/** Charges the order. If the outcome of the payment is unknown, returns the order in its current state. */
async function chargeOrLeave(checkout: SettlementDependencies, order: OrderWithPayment): Promise<Order> {
  try {
    return await charge(checkout, order, "placing");
  } catch (error) {
    checkout.log.warn({ err: error, orderId: order.id }, "payment outcome unknown; the reconciler will query it");
    return selectOrdersWithPayment(checkout.db).where("id", "=", order.id).executeTakeFirstOrThrow();
  }
}
