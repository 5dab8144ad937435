import type { PageState } from "@beatmarket/payments/provider.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import type { Queryable } from "../../database/connect.ts";
import type { SettlementDependencies } from "../orders/checkout.ts";
import { type Checkout, type CheckoutItem, checkoutColumns, pageOf, providerOf } from "./checkout.ts";
import { findCheckoutByKey, findItems, selectCheckouts } from "./queries.ts";
import { endCheckout, settleCheckout } from "./settle-checkout.ts";

/** The time between two queries for an open checkout at the provider, whose webhook may be lost. */
const providerQueryIntervalMs = 10 * 60_000;
const maxCheckoutsPerRun = 200;
/** The run ends after this number of failures: the provider is probably unreachable. */
const maxFailures = 5;

interface WatchedCheckout extends Checkout {
  /**
   * An item whose beat is off sale, or whose exclusive license another buyer holds or has bought; null if there is
   * none.
   */
  gone: Pick<CheckoutItem, "title" | "license_type"> | null;
}

/**
 * Background job: settles checkouts whose webhook was lost, ends overdue checkouts, and cancels checkouts with an item
 * that can no longer be bought. Several instances may run the job concurrently.
 */
export async function watchCheckouts(
  dependencies: SettlementDependencies,
  catalogue: CatalogueVersion,
  stopping?: AbortSignal,
): Promise<void> {
  const { log } = dependencies;
  let failures = 0;
  for (const checkout of await takeDue(dependencies)) {
    if (failures >= maxFailures || stopping?.aborted === true) return;
    try {
      if (await updateCheckout(dependencies, checkout)) catalogue.bump();
    } catch (error) {
      failures++;
      log.warn({ err: error, checkoutId: checkout.id }, "checkout not settled");
    }
  }
}

/**
 * The first 200 open checkouts that are overdue, have an unavailable item, or were not queried at the provider for ten
 * minutes. Records that they are queried now.
 */
async function takeDue({ db, clock }: SettlementDependencies): Promise<WatchedCheckout[]> {
  const nowMs = clock.nowMs();
  const now = new Date(nowMs);
  const { rows } = await sql<WatchedCheckout>`
    with due as (
      select checkouts.id, gone.item as gone from checkouts left join lateral (
        select jsonb_build_object('title', item.title, 'license_type', item.license_type) as item
        from checkout_items item join beats on beats.id = item.beat_id
        where item.checkout_id = checkouts.id and (not beats.is_listed or (item.license_type = 'exclusive'
          and beats.exclusive_state <> 'available' and beats.exclusive_order_id <> item.order_id))
        limit 1) gone on true
      where status = 'open' and (expires_at <= ${now}::timestamptz or gone.item is not null
        or coalesce(asked_at, created_at) <= ${new Date(nowMs - providerQueryIntervalMs)}::timestamptz)
      order by checkouts.id limit ${maxCheckoutsPerRun}
    )
    update checkouts set asked_at = ${now}::timestamptz from due where due.id = checkouts.id
    returning ${sql.join(checkoutColumns.map((column) => sql.ref(`checkouts.${column}`)))}, due.gone`.execute(db);
  // An update returns its rows in any order.
  return rows.toSorted((one, other) => one.id - other.id);
}

/** Brings a checkout to the provider's state. Returns whether a beat may be on sale again or sold. */
async function updateCheckout(
  dependencies: SettlementDependencies,
  { gone, ...checkout }: WatchedCheckout,
): Promise<boolean> {
  const items = await findItems(dependencies.db, checkout.id);
  const state = await askProvider(dependencies, { ...checkout, items }, { isOver: gone !== null });
  if (gone !== null && state.status === "expired") await cancel(dependencies, checkout, gone);
  else await settleCheckout(dependencies, checkout.id, state);
  return state.status !== "open" && items.some(({ license_type }) => license_type === "exclusive");
}

/**
 * Returns the state of a checkout's page at the provider. Closes the page first if `isOver` is true or the checkout is
 * overdue.
 */
export function askProvider(
  dependencies: SettlementDependencies,
  checkout: Checkout & { items: CheckoutItem[] },
  { isOver = false } = {},
): Promise<PageState> {
  const { pages } = providerOf(dependencies, checkout);
  const page = pageOf(checkout, dependencies.publicUrl);
  const isOverdue = checkout.expires_at.getTime() <= dependencies.clock.nowMs();
  return isOver || isOverdue ? pages.expire(page) : pages.query(page);
}

const cancel = (
  { db, clock }: SettlementDependencies,
  { id }: Checkout,
  { title, license_type }: NonNullable<WatchedCheckout["gone"]>,
): Promise<void> =>
  transact(db, async (transaction) => {
    const checkout = await selectCheckouts(transaction).where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
    if (checkout.status !== "open") return;
    const failureReason = `The ${license_type} license of "${title}" can no longer be bought. Nothing was charged.`;
    await endCheckout(transaction, checkout, { status: "cancelled", failureReason, now: new Date(clock.nowMs()) });
  });

/**
 * Settles the checkout of a payment key by the current state of its page at the provider. Does nothing for an unknown
 * key.
 */
export async function settleByKey(dependencies: SettlementDependencies, paymentKey: string): Promise<void> {
  const checkout = await findCheckoutByKey(dependencies.db, paymentKey);
  if (checkout === undefined) return;
  const page = pageOf(checkout, dependencies.publicUrl);
  const state = await providerOf(dependencies, checkout).pages.query(page);
  await settleCheckout(dependencies, checkout.id, state);
}

/**
 * Deletes the basket of an erased user, ends open checkouts, and removes the buyer's e-mail address, name, invoice
 * details, time zone and language from all checkouts. A later payment on the provider's page is refunded.
 */
export async function eraseCheckouts(transaction: Queryable, userId: number, now: Date): Promise<void> {
  await transaction.deleteFrom("basket_items").where("user_id", "=", userId).execute();
  const open = await selectCheckouts(transaction)
    .where("user_id", "=", userId)
    .where("status", "=", "open")
    .forUpdate()
    .execute();
  for (const checkout of open)
    await endCheckout(transaction, checkout, {
      status: "cancelled",
      failureReason: "The account of the buyer was deleted.",
      now,
    });
  await transaction
    .updateTable("checkouts")
    .set({ email: null, buyer_name: null, billing: null, time_zone: null, language: null })
    .where("user_id", "=", userId)
    .execute();
}

/** Moves the receipts and the library of an account to its new e-mail address. */
export async function moveCheckouts(
  transaction: Queryable,
  userId: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await transaction
    .updateTable("checkouts")
    .set({ email: to })
    .where("user_id", "=", userId)
    .where("email", "=", from)
    .execute();
}
