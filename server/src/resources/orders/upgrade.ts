import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { lastDayOf, renewableFrom } from "@beatmarket/license-terms/judge.ts";
import { type LicenseType, licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { dayOf } from "@beatmarket/license-terms/question.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { isAvailable } from "../beats/licensing/exclusive.ts";
import { isPaid, licensePriceColumns } from "../beats/licensing/licenses.ts";
import { grantOf, statusOf } from "../licenses/answers/ask.ts";
import type { PublicLicense } from "../licenses/queries.ts";
import { findHeldLicense } from "../licenses/used.ts";

/** The license that a new license replaces. */
export type Replaced = PublicLicense;

/** Returns the account's license that an order will replace. Throws 404 for a license of another account. */
export const findReplaced = (db: Queryable, licenseId: string, userId: number): Promise<Replaced> =>
  findHeldLicense(db, licenseId, userId);

/**
 * Returns how a license reduces the price of its replacement. With `lock`, locks the order of the license, so that only
 * one of several concurrent upgrades is placed. Throws 409 with the reason if the license cannot be replaced.
 */
export async function creditOf(
  transaction: Queryable,
  license: Replaced,
  { to, currency, now, lock }: { to: LicenseType; currency: string; now: Date; lock: boolean },
): Promise<UpgradeCredit> {
  const { claims } = license;
  const { rows } = await sql<{ currency: string; is_refunded: boolean }>`
    select currency, is_full_refund(refunded_at, refunded_cents, amount_cents) as is_refunded
    from orders where id = ${claims.order_id} ${lock ? sql`for update` : sql``}`.execute(transaction);
  const [order] = rows;
  if (order === undefined || order.is_refunded)
    throw conflict(
      `License ${license.id} was refunded in full, so it cannot be upgraded. Buy a new license of the beat.`,
    );
  const replacement = await findReplacement(transaction, claims.order_id);
  if (replacement?.status === "completed")
    throw conflict(
      `License ${license.id} was replaced by the license of order ${replacement.id}. Upgrade that license.`,
    );
  if (replacement !== undefined)
    throw conflict(
      `Order ${replacement.id}, which replaces license ${license.id}, is being paid. Finish that payment, or wait up to 15 minutes until it ends.`,
    );
  requireAllowedStep(license, to, dayOf(now));
  if (to !== claims.license_type && order.currency !== currency)
    throw conflict(
      `License ${license.id} was paid in ${order.currency}, and prices are in ${currency} now, so there is no difference to pay. Buy the ${to} license.`,
    );
  // The terms cannot fix a price in another currency, or the price of an expired license.
  const credit = await findCredit(transaction, license, to);
  const hasFixedPrice = order.currency === currency && statusOf(license, dayOf(now)) === "valid";
  return hasFixedPrice ? credit : { ...credit, fixedPriceCents: null };
}

function requireAllowedStep(license: Replaced, to: LicenseType, today: string): void {
  const { license_type: from } = license.claims;
  const lastDay = lastDayOf(grantOf(license));
  const isExpired = lastDay !== null && today > lastDay;
  if (licenseTypes.indexOf(to) < licenseTypes.indexOf(from))
    throw conflict(
      `The ${to} license allows less than the ${from} license ${license.id}. Only a higher one upgrades it.`,
    );
  if (to !== from && isExpired)
    throw conflict(
      `License ${license.id} expired on ${lastDay}, so its price does not count any more. Renew it, or buy the ${to} license.`,
    );
  if (to !== from || isExpired) return;
  if (lastDay === null) throw conflict(`License ${license.id} has no end, so there is nothing to renew.`);
  const firstDay = renewableFrom(lastDay);
  if (today < firstDay)
    throw conflict(`License ${license.id} is valid until ${lastDay}, and can be renewed from ${firstDay} on.`);
}

/** How a license reduces the price of its replacement. */
export interface UpgradeCredit {
  /** The amount that was paid for the license and the licenses that it replaced, less refunds. 0 for a renewal. */
  paidCents: number;
  /** The price on the day of purchase, if the terms fix it. Null if today's price counts. */
  fixedPriceCents: number | null;
}

export const noCredit: UpgradeCredit = { paidCents: 0, fixedPriceCents: null };

/** Returns the amount to pay. If today's price is lower than the fixed price, today's price counts. */
export const dueCents = (todayCents: number, { paidCents, fixedPriceCents }: UpgradeCredit): number =>
  Math.max(0, Math.min(todayCents, fixedPriceCents ?? todayCents) - paidCents);

/** The columns from which the credit of a license is computed. */
export interface PaidRow {
  /**
   * The amounts of the order and the orders that it upgraded, without refunds. Orders before a renewal do not count.
   */
  paid_cents: number;
  /**
   * The prices at the time of the first order, in the sequence of license types. Null for orders older than this
   * column.
   */
  list_prices: number[] | null;
}

/** The columns of a `PaidRow` for the license of an order. */
export const paidColumns = (orderId: number): RawBuilder<unknown> => sql`
  (with recursive steps as (
      select id, license_type, amount_cents - refunded_cents as paid, upgrades_license from orders where id = ${orderId}
      union all
      select earlier.id, earlier.license_type, earlier.amount_cents - earlier.refunded_cents, earlier.upgrades_license
      from steps join licenses on licenses.id = steps.upgrades_license join orders earlier on earlier.id = licenses.order_id
      where earlier.license_type <> steps.license_type
    )
    select sum(paid)::bigint from steps) as paid_cents,
  (select list_prices from orders where id = ${orderId}) as list_prices`;

/** Returns how a license reduces the price of its replacement of the type `to`. */
export function creditFrom({ claims, terms }: PublicLicense, to: LicenseType, paidRow: PaidRow): UpgradeCredit {
  const fixesPrice =
    terms.clauses?.some(({ name, value }) => name === "upgrade_price" && value === "purchase") === true;
  const price = paidRow.list_prices?.[licenseTypes.indexOf(to)] ?? null;
  // For a license that is never free, a price of 0 means that it had no price on that day.
  const fixedPriceCents = price === 0 && isPaid(to) ? null : price;
  return {
    paidCents: to === claims.license_type ? 0 : paidRow.paid_cents,
    fixedPriceCents: fixesPrice ? fixedPriceCents : null,
  };
}

/**
 * Reads how a license reduces the price of its replacement of the type `to`. Does not check whether the license can be
 * replaced.
 */
export async function findCredit(db: Queryable, license: PublicLicense, to: LicenseType): Promise<UpgradeCredit> {
  const { rows } = await sql<PaidRow>`select ${paidColumns(license.claims.order_id)}`.execute(db);
  return creditFrom(license, to, rows[0] ?? { paid_cents: 0, list_prices: null });
}

/** Returns the completed or pending order that replaces the license of an order. Returns undefined if there is none. */
export async function findReplacement(
  db: Queryable,
  orderId: number,
): Promise<{ id: number; status: "completed" | "pending" } | undefined> {
  const { rows } = await sql<{ id: number; status: "completed" | "pending" }>`
    select orders.id, orders.status from orders join licenses on licenses.id = orders.upgrades_license
    where licenses.order_id = ${orderId} and orders.status <> 'failed'
      and not is_full_refund(orders.refunded_at, orders.refunded_cents, orders.amount_cents)
    order by orders.id limit 1`.execute(db);
  return rows[0];
}

/**
 * Locks the orders of the licenses that the orders `orderIds` replace. Returns those of `orderIds` whose replaced
 * license was refunded in full in the meantime.
 */
export async function lockReplaced(db: Queryable, orderIds: readonly number[]): Promise<Set<number>> {
  if (orderIds.length === 0) return new Set();
  const { rows } = await sql<{ id: number; is_over: boolean }>`
    select orders.id, is_full_refund(earlier.refunded_at, earlier.refunded_cents, earlier.amount_cents) as is_over
    from orders join licenses on licenses.id = orders.upgrades_license join orders earlier on earlier.id = licenses.order_id
    where orders.id = any(${orderIds}::bigint[]) order by earlier.id for no key update of earlier`.execute(db);
  return new Set(rows.filter(({ is_over }) => is_over).map(({ id }) => id));
}

/** A license that can replace the holder's license. */
export interface UpgradeOffer {
  licenseType: LicenseType;
  isRenewal: boolean;
  /** Today's price of the license. */
  priceCents: number;
  /** The amount that the holder pays. */
  amountCents: number;
}

export interface UpgradeOffers {
  /** The offers, lowest license first. */
  offers: UpgradeOffer[];
  /** The reason why there is no offer. Null if there is an offer. */
  reason: string | null;
}

/** Returns the upgrades and the renewal of a license that can be bought today, with their prices. */
export async function findUpgrades(
  db: Queryable,
  license: Replaced,
  { currency, now }: { currency: string; now: Date },
): Promise<UpgradeOffers> {
  const { beat, license_type: from } = license.claims;
  const prices = await pricesOf(db, beat.id, now);
  const offers: UpgradeOffer[] = [];
  let reason: string | null = null;
  for (const licenseType of licenseTypes.slice(licenseTypes.indexOf(from))) {
    const priceCents = prices.get(licenseType);
    if (priceCents === undefined) continue;
    try {
      const credit = await creditOf(db, license, { to: licenseType, currency, now, lock: false });
      const amountCents = dueCents(priceCents, credit);
      offers.push({ licenseType, isRenewal: licenseType === from, priceCents, amountCents });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reason = error.details;
    }
  }
  if (offers.length > 0) return { offers, reason: null };
  return { offers, reason: reason ?? "No higher license of this beat is for sale today." };
}

/** Returns the prices of the licenses that can be bought. */
async function pricesOf(db: Queryable, beatId: number, now: Date): Promise<ReadonlyMap<LicenseType, number>> {
  const { rows } = await sql<Record<string, number> & { unsold_licenses: string[] }>`
    select price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents, unsold_licenses
    from beats where id = ${beatId} and ${isAvailable(now)}`.execute(db);
  const [beat] = rows;
  if (beat === undefined) return new Map();
  return new Map(
    licenseTypes.flatMap((type) => {
      const price = beat[licensePriceColumns[type]] ?? 0;
      const isForSale = !beat.unsold_licenses.includes(type) && price >= (isPaid(type) ? 1 : 0);
      return isForSale ? [[type, price] as const] : [];
    }),
  );
}
