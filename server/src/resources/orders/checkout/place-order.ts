import { refusesValues } from "@beatmarket/postgres/connection/database-error.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { type CheckoutDependencies, pendingForMs, type SettlementDependencies, storesPayments } from "../checkout.ts";
import { kindsOf } from "../fulfilment/fulfilment.ts";
import type { Order, OrderWithPayment } from "../order.ts";
import { selectOrdersWithPayment } from "../queries.ts";
import { recordCompleted, type Settlement, type SettlingMoment, settleAll } from "../settle.ts";
import { chargeAll } from "./charge.ts";
import {
  createOrder,
  createOrders,
  createPaidOrders,
  type OrderRequest,
  type OrderTerms,
  type PlainOrderRequest,
  withRefusals,
} from "./create-order.ts";

/**
 * Buys a license: creates the order, charges the payment, settles the order. Each step commits separately, so no
 * transaction waits for the payment provider. Returns a pending order while the payment is pending. After an error or a
 * crash, the reconciler finishes the order. Throws like `createOrder`, and if the payment method is refused or the
 * storage is unreachable. If the beat's files are lost, the order fails and nothing is charged.
 */
export async function placeOrder(checkout: CheckoutDependencies, request: OrderRequest): Promise<Order> {
  const [provider] = checkout.payments;
  // The sandbox checks a payment method without a request. Stripe needs a request, so its methods are checked only for
  // exclusive licenses: a method that cannot pay would keep the license from other buyers during the payment.
  if (provider.name === "sandbox" || request.licenseType === "exclusive")
    await provider.requirePayable(request.paymentMethod);
  await checkout.objects?.requirePlace();
  const order = await createOrder(checkout.db, request, termsOf(checkout, checkout.clock.nowMs()));
  if (order.status !== "pending") return order;
  const [placed = order] = await chargeOrders(checkout, [order], "placing");
  return placed;
}

/**
 * Like `placeOrder`, but for several orders of different buyers and moments, with fewer statements. Returns for each
 * request the order, or the error that `placeOrder` would throw. An order is pending if an error prevented its payment
 * or settlement. Throws for an unknown payment method, and if the storage or the database is unreachable.
 */
export async function placeOrders(
  checkout: CheckoutDependencies,
  requests: readonly PlainOrderRequest[],
): Promise<(Order | Error)[]> {
  if (requests.length === 0) return [];
  const [provider] = checkout.payments;
  for (const { paymentMethod } of requests) await provider.requirePayable(paymentMethod);
  await checkout.objects?.requirePlace();
  return (await placePaid(checkout, requests)) ?? placeInSteps(checkout, requests);
}

/**
 * Places orders whose payments succeed at once, in one transaction with their payments: an order is written once, as
 * completed, and a crash leaves either all of it or nothing. Null, without an effect, if one of the orders needs the
 * steps of `placeInSteps`: its payment may wait or fail, its files are lost, or the database refuses it.
 */
async function placePaid(
  checkout: CheckoutDependencies,
  requests: readonly PlainOrderRequest[],
): Promise<(Order | Error)[] | null> {
  const [provider] = checkout.payments;
  if (!storesPayments(provider)) return null;
  if (!requests.every(({ paymentMethod }) => provider.succeedsAtOnce(paymentMethod))) return null;
  const terms = termsOf(checkout, checkout.clock.nowMs());
  let created: (OrderWithPayment | undefined)[];
  try {
    created = await transact(checkout.db, async (transaction) => {
      const places = await createPaidOrders(transaction, requests, terms, provider.ofPaidOrders);
      const orders = places.filter((order) => order !== undefined);
      if ((await findMissingFiles(checkout, orders.flatMap(soldFilesOf))).size > 0) throw new FilesLost();
      await recordCompleted(
        transaction,
        orders.map((order) => ({ order, now: order.created_at })),
        checkout,
      );
      return places;
    });
  } catch (error) {
    if (error instanceof FilesLost || refusesValues(error)) return null;
    throw error;
  }
  return withRefusals(checkout.db, requests, created, terms);
}

/** Rolls a transaction back. */
class FilesLost extends Error {}

/** Places orders like `placePaid`, but in the separate steps of `placeOrder`. */
async function placeInSteps(
  checkout: CheckoutDependencies,
  requests: readonly PlainOrderRequest[],
): Promise<(Order | Error)[]> {
  const created = await createOrders(checkout.db, requests, termsOf(checkout, checkout.clock.nowMs()));
  const pending = created.flatMap((order) => (order instanceof Error ? [] : [order]));
  const charged = await chargeOrders(checkout, pending, "together").catch((error: unknown): OrderWithPayment[] => {
    const orderIds = pending.map(({ id }) => id);
    checkout.log.warn(
      { err: error, orderIds },
      "orders were placed and not charged; the reconciler charges or cancels them",
    );
    return [];
  });
  const placed = new Map(charged.map((order) => [order.id, order]));
  return created.map((order) => (order instanceof Error ? order : (placed.get(order.id) ?? order)));
}

/**
 * Continues orders that a killed process left pending while it placed them, each at the moment at which it was placed.
 * Returns them as `placeOrders` does.
 */
export async function resumeOrders(checkout: CheckoutDependencies, ids: readonly number[]): Promise<Order[]> {
  if (ids.length === 0) return [];
  const orders = await selectOrdersWithPayment(checkout.db)
    .where("id", "in", [...ids])
    .orderBy("id")
    .execute();
  return chargeOrders(checkout, orders, "together");
}

const termsOf = (checkout: CheckoutDependencies, nowMs: number): OrderTerms => ({
  currency: checkout.currency,
  paymentProvider: checkout.payments[0].name,
  now: new Date(nowMs),
  heldUntil: new Date(nowMs + pendingForMs),
  termsVersion: checkout.termsVersion,
  commissionBasisPoints: checkout.commissionBasisPoints,
});

/** Charges and settles new orders. An order whose files are lost fails. */
async function chargeOrders(
  checkout: CheckoutDependencies,
  orders: readonly OrderWithPayment[],
  moment: SettlingMoment,
): Promise<OrderWithPayment[]> {
  const failed: Settlement[] = [];
  const payable: OrderWithPayment[] = [];
  const missing = await findMissingFiles(checkout, orders.flatMap(filesOf));
  for (const order of orders) {
    const missingFiles = filesOf(order).filter((sha256) => missing.has(sha256));
    if (missingFiles.length === 0) {
      payable.push(order);
      continue;
    }
    checkout.log.error(
      { orderId: order.id, beatId: order.beat_id, lost: missingFiles },
      "a beat was not sold, as the storage has lost files of it: restore them from a backup; `beatmarket storage verify` lists all such files",
    );
    failed.push({ orderId: order.id, payment: { status: "failed", reason: filesLostReason, reference: null } });
  }
  const refused = failed.length === 0 ? [] : await settleAll(checkout, failed, moment);
  return [...refused, ...(await chargeOrLeave(checkout, payable, moment))];
}

const filesLostReason = "The files of this beat are not available at the moment. Nothing was charged.";

/**
 * The sold files, which must exist before a payment begins. Empty after that, since a begun payment must be completed.
 */
const filesOf = (order: OrderWithPayment): string[] => (order.payment_reference === null ? soldFilesOf(order) : []);

const soldFilesOf = ({ license_type, master_sha256, stems_sha256 }: OrderWithPayment): string[] =>
  [master_sha256, kindsOf[license_type].includes("stems") ? stems_sha256 : null].filter((sha256) => sha256 !== null);

/** The files that the storage lacks. */
async function findMissingFiles(
  { objects }: CheckoutDependencies,
  files: readonly string[],
): Promise<ReadonlySet<string>> {
  if (objects === undefined) return new Set();
  const hashes = [...new Set(files)];
  const heads = await Promise.all(hashes.map((sha256) => objects.head(sha256)));
  return new Set(hashes.filter((_, index) => heads[index] === null));
}

const leftPending = {
  payment: "payment outcome unknown; the reconciler will query it",
  settlement: "payment outcome known but not stored; the reconciler will query it again",
} as const;

/** Charges the orders, and logs errors. An order that an error left pending is read again from the database. */
async function chargeOrLeave(
  checkout: SettlementDependencies,
  orders: readonly OrderWithPayment[],
  moment: SettlingMoment,
): Promise<OrderWithPayment[]> {
  const { charged, open } = await chargeAll(checkout, orders, moment).catch((error: unknown) => ({
    charged: [],
    open: orders.map((order) => ({ order, error, step: "payment" as const })),
  }));
  if (open.length === 0) return charged;
  for (const { order, error, step } of open) checkout.log.warn({ err: error, orderId: order.id }, leftPending[step]);
  const ids = open.map(({ order }) => order.id);
  return [...charged, ...(await selectOrdersWithPayment(checkout.db).where("id", "in", ids).execute())];
}
