import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { currentTraceparent } from "@beatmarket/foundation/tracing/tracing.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Language } from "../../../../contract/texts/languages.ts";
import { randomBytes } from "../../access/random-source.ts";
import type { Queryable } from "../../database/connect.ts";
import { holdExclusive } from "../beats/licensing/exclusive.ts";
import type { ItemPrice } from "../discounts/discount.ts";
import { findDiscounts, recordDiscounts } from "../discounts/find-rules.ts";
import type { Billing } from "../invoices/invoice.ts";
import { type Holder, requireExclusiveAllowed } from "../orders/checkout/bounds.ts";
import { refusal } from "../orders/checkout/create-order.ts";
import { type CheckoutDependencies, pendingForMs } from "../orders/checkout.ts";
import {
  type Checkout,
  type CheckoutItem,
  type CheckoutWithItems,
  checkoutColumns,
  checkoutPagePath,
  openForMs,
  pageOf,
  providerOf,
} from "./checkout.ts";
import { selectCheckouts, withItems } from "./queries.ts";
import { pricedItem, priceItems } from "./quote.ts";
import { endCheckout, settleCheckout } from "./settle-checkout.ts";
import { asUpgrade, findCredits, lockItems, type RequestedItem, type RequestedLicense } from "./upgrade-items.ts";

export interface CheckoutRequest {
  /** Null for a buyer without an account, who is identified by `email`. */
  userId: number | null;
  /** In lower case. */
  email: string | null;
  /** The name on the licenses, for a buyer without an account. */
  buyerName?: string | undefined;
  /** The time zone of the buyer's browser. */
  timeZone?: string | undefined;
  /** The language of the page on which the buyer buys. */
  language?: Language | undefined;
  /** The invoice details. Absent or null: the account's details, or the name on the licenses. */
  billing?: Billing | null;
  items: readonly RequestedItem[];
  /** The code as the buyer typed it; null without a code. */
  discountCode: string | null;
  /** The amount that the buyer saw, in cents. Undefined: any current amount. */
  expectedCents?: number | undefined;
  successUrl: string | null;
  cancelUrl: string | null;
  /**
   * Identifies one execution under an Idempotency-Key. All retries of a run share one checkout. Null without an
   * Idempotency-Key.
   */
  run: string | null;
  requestId: string;
}

/**
 * Opens a checkout: freezes the prices, holds the exclusive licenses, and creates the provider's page. A checkout that
 * costs nothing is completed immediately. Throws 404 or 409 naming the first license that cannot be bought, and 409 for
 * an unusable discount code or another total than `expectedCents`; then nothing is held. Throws 503 while the provider
 * is unreachable; then the checkout stays open, and a retry of the run continues it. If the provider refuses the
 * payment, cancels the checkout and throws 409.
 */
export async function openCheckout(
  dependencies: CheckoutDependencies,
  request: CheckoutRequest,
): Promise<CheckoutWithItems> {
  // Nothing is sold while the storage with the files is unreachable.
  await dependencies.objects?.requirePlace();
  const earlier = await findCheckoutOfRun(dependencies.db, request.run);
  const checkout =
    earlier === undefined ? await createCheckout(dependencies, request) : await withItems(dependencies.db, earlier);
  if (checkout.status !== "open" || checkout.url !== null) return checkout;
  return checkout.amount_cents === 0 ? settleFree(dependencies, checkout) : openPage(dependencies, checkout);
}

async function findCheckoutOfRun(db: Queryable, run: string | null): Promise<Checkout | undefined> {
  return run === null ? undefined : selectCheckouts(db).where("idempotency_run", "=", run).executeTakeFirst();
}

async function createCheckout(
  dependencies: CheckoutDependencies,
  request: CheckoutRequest,
): Promise<CheckoutWithItems> {
  const { db, clock, currency, payments, termsVersion } = dependencies;
  const { userId, email, items: requestedItems, successUrl, cancelUrl, run, requestId } = request;
  const nowMs = clock.nowMs();
  const now = new Date(nowMs);
  const hasExclusive = requestedItems.some(({ licenseType }) => licenseType === "exclusive");
  const expiresAt = new Date(nowMs + (hasExclusive ? pendingForMs : openForMs));
  return transact(db, async (transaction) => {
    const licenses = await lockAndHoldItems(transaction, request, { currency, now, until: expiresAt });
    const quote = await priceItems(transaction, licenses.map(pricedItem), {
      buyer: request,
      code: request.discountCode,
      currency,
      now,
    });
    if (quote.codeProblem !== null) throw unusableCode(request.discountCode, quote.codeProblem);
    const items = licenses.map((item, place) => withDiscount(item, quote.items[place]));
    const amountCents = quote.totalCents;
    if (request.expectedCents !== undefined && request.expectedCents !== amountCents) throw priceChanged();
    const checkout = await transaction
      .insertInto("checkouts")
      .values({
        user_id: userId,
        email,
        buyer_name: request.buyerName ?? null,
        billing: request.billing == null ? null : JSON.stringify(request.billing),
        time_zone: request.timeZone ?? null,
        language: request.language ?? null,
        payment_key: `checkout_${randomBytes(18).toString("base64url")}`,
        amount_cents: amountCents,
        currency,
        payment_provider: payments[0].name,
        success_url: successUrl,
        cancel_url: cancelUrl,
        terms_version: termsVersion,
        idempotency_run: run,
        request_id: requestId,
        trace_context: currentTraceparent(),
        created_at: now,
        expires_at: expiresAt,
      })
      .returning(checkoutColumns)
      .$narrowType<Pick<Checkout, "status">>()
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto("checkout_items")
      .values(items.map((item, position) => ({ checkout_id: checkout.id, position, ...item })))
      .execute();
    await recordDiscounts(transaction, checkout.id, quote);
    return { ...checkout, items, discounts: await findDiscounts(transaction, checkout.id), orders: [] };
  });
}

type LicenseToBuy = RequestedLicense & Pick<CheckoutItem, "upgrades_license" | "credit_cents">;

const withDiscount = ({ producer_id: _, ...item }: LicenseToBuy, price: ItemPrice | undefined): CheckoutItem => ({
  ...item,
  amount_cents: price?.amountCents ?? item.amount_cents,
  discount_cents: price?.discountCents ?? 0,
});

const unusableCode = (code: string | null, problem: string): ApiError =>
  conflict(
    `discount_code: ${JSON.stringify(code)} cannot be used. ${problem} Nothing was held or charged: open the checkout without it.`,
  );

/** 409: the buyer has to see the new price before the payment. */
const priceChanged = (): ApiError =>
  conflict("A price has changed since it was shown. Nothing was charged: look at the new total, and confirm it.");

/**
 * Locks the beats of the requested licenses, and holds the exclusive licenses. Returns the licenses at current prices
 * less their credits, in the order of the request. The beats are locked in the order of their ids, so that concurrent
 * checkouts do not deadlock.
 */
async function lockAndHoldItems(
  transaction: Queryable,
  { userId, email, items: requestedItems }: CheckoutRequest,
  { currency, now, until }: { currency: string; now: Date; until: Date },
): Promise<LicenseToBuy[]> {
  const buyer: Holder = userId === null ? { email: email ?? "" } : { userId };
  const credits = await findCredits(transaction, requestedItems, { userId, currency, now, lock: true });
  const items = new Map(
    (await lockItems(transaction, { requestedItems, userId, now })).map((item) => [item.beat_id, item]),
  );
  for (const { beatId, licenseType } of requestedItems.toSorted((one, other) => one.beatId - other.beatId)) {
    const orderId = items.get(beatId)?.order_id;
    const isBuyable =
      orderId !== undefined &&
      (licenseType !== "exclusive" || (await holdExclusive(transaction, { beatId, orderId, now, until })));
    if (!isBuyable) throw await refusal(transaction, { userId, beatId, licenseType }, { currency, now });
    if (licenseType === "exclusive") await requireExclusiveAllowed(transaction, { buyer, beatId, now });
  }
  return requestedItems.flatMap(({ beatId }) => {
    const item = items.get(beatId);
    return item === undefined ? [] : [asUpgrade(item, credits)];
  });
}

/** Completes a checkout that costs nothing, without the provider. */
async function settleFree(dependencies: CheckoutDependencies, checkout: Checkout): Promise<CheckoutWithItems> {
  const url = dependencies.publicUrl + checkoutPagePath(checkout.payment_key);
  await dependencies.db.updateTable("checkouts").set({ url }).where("id", "=", checkout.id).execute();
  await settleCheckout(dependencies, checkout.id, {
    status: "succeeded",
    reference: checkout.payment_key,
    method: "free",
    email: checkout.email,
  });
  const paidCheckout = await selectCheckouts(dependencies.db).where("id", "=", checkout.id).executeTakeFirstOrThrow();
  return withItems(dependencies.db, paidCheckout);
}

/**
 * Creates the provider's page. Throws 503 while the provider is unreachable; a retry with the same Idempotency-Key
 * continues. If the provider refuses the payment, cancels the checkout and throws 409.
 */
async function openPage(dependencies: CheckoutDependencies, checkout: CheckoutWithItems): Promise<CheckoutWithItems> {
  const { db, publicUrl, log } = dependencies;
  try {
    const { reference, url } = await providerOf(dependencies, checkout).pages.open(pageOf(checkout, publicUrl));
    const storedCheckout = await db
      .updateTable("checkouts")
      .set({ page_reference: reference, url })
      .where("id", "=", checkout.id)
      .where("status", "=", "open")
      .returning(checkoutColumns)
      .$narrowType<Pick<Checkout, "status">>()
      .executeTakeFirst();
    if (storedCheckout !== undefined) return { ...checkout, ...storedCheckout };
  } catch (error) {
    log.warn({ err: error, checkoutId: checkout.id }, "the payment page of a checkout could not be made");
    if (error instanceof ApiError) {
      const now = new Date(dependencies.clock.nowMs());
      await transact(db, (transaction) =>
        endCheckout(transaction, checkout, { status: "cancelled", failureReason: error.details, now }),
      );
      throw error;
    }
    throw new ApiError(
      503,
      "server_error",
      "Payments are unavailable",
      "The payment provider does not respond, so nothing was charged. Try again in a minute, with the same Idempotency-Key.",
      { headers: { "retry-after": "60" }, cause: error },
    );
  }
  return withItems(db, await selectCheckouts(db).where("id", "=", checkout.id).executeTakeFirstOrThrow());
}
