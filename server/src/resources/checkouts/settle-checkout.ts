import type { PageState } from "@beatmarket/payments/provider.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { erasedUsername } from "../audit/lock-user.ts";
import { releaseExclusive } from "../beats/licensing/exclusive.ts";
import { countUses } from "../discounts/find-rules.ts";
import { insertOrders } from "../orders/checkout/insert-orders.ts";
import type { SettlementDependencies } from "../orders/checkout.ts";
import type { OrderWithPayment } from "../orders/order.ts";
import { mailPurchases } from "../orders/order-mails.ts";
import { pursueRefund } from "../orders/refunds/pursue-refund.ts";
import { addUnfulfilledRefund } from "../orders/refunds/request-refund.ts";
import { settleIn } from "../orders/settle.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { rememberLanguage, rememberTimeZone } from "../users/mail-preferences.ts";
import { type Checkout, type CheckoutItem, checkoutPagePath } from "./checkout.ts";
import { findItems, selectCheckouts } from "./queries.ts";
import { findIrreplaceableItem } from "./upgrade-items.ts";

type PaidPage = Extract<PageState, { status: "succeeded" }>;

/**
 * Applies the provider's state of a checkout's page. Idempotent and safe to call concurrently. A payment creates the
 * orders, one for each item, in the transaction that completes the checkout. If one of the items can no longer be
 * bought, or one of the discounts is used up, all orders fail and their amounts are refunded.
 */
export async function settleCheckout(
  dependencies: SettlementDependencies,
  checkoutId: number,
  state: PageState,
): Promise<void> {
  const { db, clock, log } = dependencies;
  const refundIds = await transact(db, async (transaction) => {
    const checkout = await selectCheckouts(transaction)
      .where("id", "=", checkoutId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const now = new Date(clock.nowMs());
    if (state.status === "expired" && checkout.status === "open")
      await endCheckout(transaction, checkout, { status: "expired", now });
    return state.status === "succeeded" ? pay(dependencies, transaction, checkout, state, now) : [];
  });
  for (const refundId of refundIds)
    await pursueRefund(dependencies, refundId).catch((error: unknown) =>
      log.error({ err: error, checkoutId, refundId }, "the refund is not complete yet; the reconciler retries it"),
    );
}

/** Ends an open checkout that is not paid. `failureReason`: the reason for a cancellation. */
export async function endCheckout(
  transaction: Queryable,
  { id }: Checkout,
  { status, failureReason = null, now }: { status: "expired" | "cancelled"; failureReason?: string | null; now: Date },
): Promise<void> {
  for (const { license_type, beat_id, order_id } of await findItems(transaction, id))
    if (license_type === "exclusive") await releaseExclusive(transaction, beat_id, order_id);
  await transaction
    .updateTable("checkouts")
    .set({ status, failure_reason: failureReason, finished_at: now })
    .where("id", "=", id)
    .execute();
}

/** Creates the orders of a payment, once. Returns the ids of the refunds of failed orders, which the caller pursues. */
async function pay(
  dependencies: SettlementDependencies,
  transaction: Queryable,
  checkout: Checkout,
  paidPage: PaidPage,
  now: Date,
): Promise<number[]> {
  const { payment_key } = checkout;
  if (await isPaid(transaction, checkout)) return [];
  const userId = await buyerOf(transaction, checkout, paidPage);
  const items = await findItems(transaction, checkout.id);
  // Licenses are locked before beats, as when an order is placed.
  const irreplaceableItem = await findIrreplaceableItem(transaction, items, userId);
  const unavailableItem = (await findUnavailableItem(transaction, items, userId, now)) ?? irreplaceableItem;
  const orders = await createOrders(dependencies, transaction, { checkout, items, paidPage, userId, now });
  const failureReason =
    unavailableItem === undefined
      ? await discountProblem(transaction, checkout, { userId, email: checkout.email ?? paidPage.email, now })
      : unavailableReason(unavailableItem, items.length);
  const outcome =
    failureReason === null
      ? { status: "succeeded" as const, reference: paidPage.reference }
      : { status: "failed" as const, reference: paidPage.reference, reason: failureReason };
  const settled = await settleIn(
    transaction,
    orders.map((order) => ({ order, payment: outcome, now })),
    { ...dependencies, moment: "later" },
  );
  const completed = settled.filter(({ status }) => status === "completed");
  const refundIds: number[] = [];
  for (const order of settled) {
    const refundId = order.status === "failed" ? await addUnfulfilledRefund(transaction, order, now) : null;
    if (refundId !== null) refundIds.push(refundId);
  }
  const to = checkout.email ?? paidPage.email;
  const link = dependencies.publicUrl + checkoutPagePath(payment_key);
  const { time_zone: timeZone, language } = checkout;
  const purchase = { orders: completed, to, timeZone, language, link, opens: "library" as const, now };
  await mailPurchases(transaction, [purchase], dependencies);
  await transaction
    .updateTable("checkouts")
    .set({
      user_id: userId,
      email: checkout.email ?? paidPage.email?.trim().toLowerCase() ?? null,
      status: failureReason === null ? "completed" : "cancelled",
      failure_reason: failureReason,
      finished_at: now,
    })
    .where("id", "=", checkout.id)
    .execute();
  return refundIds;
}

/** Whether the orders were created. The status does not tell, since an expired checkout may be paid later. */
const isPaid = async (transaction: Queryable, { status, payment_key }: Checkout): Promise<boolean> =>
  status !== "open" &&
  (await transaction.selectFrom("orders").select("id").where("checkout_key", "=", payment_key).executeTakeFirst()) !==
    undefined;

const unavailableReason = ({ title, license_type }: CheckoutItem, count: number): string =>
  `The ${license_type} license of "${title}" could no longer be bought when the payment came through${count > 1 ? ", so none of the licenses was bought" : ""}. The payment is refunded.`;

/**
 * Counts the uses of the checkout's discounts. Returns a reason if one of them is used up, in total or for this buyer.
 */
async function discountProblem(
  transaction: Queryable,
  { id }: Checkout,
  { userId, email, now }: { userId: number; email: string | null; now: Date },
): Promise<string | null> {
  const buyer = { userId, email: email?.trim().toLowerCase() ?? null };
  const name = await countUses(transaction, id, { buyer, now });
  return name === null
    ? null
    : `The discount "${name}" was used up when the payment came through, so nothing was bought. The payment is refunded.`;
}

/** The account that gets the licenses. Creates an account for an address without one. */
async function buyerOf(transaction: Queryable, checkout: Checkout, paidPage: PaidPage): Promise<number> {
  if (checkout.user_id !== null) return checkout.user_id;
  const email = checkout.email ?? paidPage.email;
  if (email === null)
    throw new Error(
      `Checkout ${checkout.id} is paid, but neither it nor the provider has an e-mail address of the buyer.`,
    );
  const { id } = await findOrCreateAccount(transaction, { email, name: checkout.buyer_name ?? undefined });
  if (checkout.time_zone !== null) await rememberTimeZone(transaction, id, checkout.time_zone);
  if (checkout.language !== null) await rememberLanguage(transaction, id, checkout.language);
  return id;
}

/**
 * The first item that can no longer be bought: its beat is off sale, its exclusive license went to another buyer, or
 * the buyer is its producer or was deleted. Locks the beats by id until the transaction ends.
 */
async function findUnavailableItem(
  transaction: Queryable,
  items: readonly CheckoutItem[],
  userId: number,
  now: Date,
): Promise<CheckoutItem | undefined> {
  const { rows } = await sql<{ id: number; is_listed: boolean; is_exclusive_free: boolean }>`
    select beats.id, is_listed and user_id <> ${userId} and buyer.username <> ${erasedUsername(userId)} as is_listed,
      exclusive_state = 'available' or (exclusive_state = 'held' and exclusive_held_until <= ${now}::timestamptz)
        or (exclusive_state = 'held' and exclusive_order_id = any (${items.map(({ order_id }) => order_id)}::bigint[]))
        as is_exclusive_free
    from beats join users buyer on buyer.id = ${userId}
    where beats.id = any (${items.map(({ beat_id }) => beat_id)}::bigint[]) order by beats.id for update of beats`.execute(
    transaction,
  );
  const beats = new Map(rows.map((beat) => [beat.id, beat]));
  return items.find(({ beat_id, license_type }) => {
    const beat = beats.get(beat_id);
    return !beat?.is_listed || (license_type === "exclusive" && !beat.is_exclusive_free);
  });
}

/** Creates one order for each item, in the order of the items. */
async function createOrders(
  { commissionBasisPoints }: Pick<SettlementDependencies, "commissionBasisPoints">,
  transaction: Queryable,
  {
    checkout,
    items,
    paidPage,
    userId,
    now,
  }: { checkout: Checkout; items: readonly CheckoutItem[]; paidPage: PaidPage; userId: number; now: Date },
): Promise<OrderWithPayment[]> {
  const orders = await insertOrders(
    transaction,
    {
      items: sql`select order_id as id, beat_id, license_type, amount_cents, license_limits, upgrades_license, position + 1 as place
        from checkout_items where checkout_id = ${checkout.id}`,
      count: items.length,
      userId,
      price: sql`new.amount_cents`,
      licenseLimits: sql`new.license_limits`,
      currency: checkout.currency,
      paymentMethod: paidPage.method,
      paymentProvider: checkout.payment_provider,
      checkoutKey: checkout.payment_key,
      run: null,
      requestId: checkout.request_id,
      upgradesLicense: sql`new.upgrades_license`,
      // A person pays the order, so the order does not count towards the spending cap of a key.
      apiKeyId: null,
      traceContext: checkout.trace_context,
      termsVersion: checkout.terms_version,
      commissionBasisPoints,
      now,
    },
    sql`true`,
  );
  if (orders.length !== items.length)
    throw new Error(
      `Checkout ${checkout.id} is paid, and ${items.length - orders.length} of its orders cannot be made.`,
    );
  const byId = new Map(orders.map((order) => [order.id, order]));
  return items.flatMap(({ order_id }) => byId.get(order_id) ?? []);
}
