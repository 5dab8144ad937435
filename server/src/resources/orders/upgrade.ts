import { conflict } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type LicenseType, licenseTypes } from "../beats/licensing/licenses.ts";
import { grantOf, statusOf } from "../licenses/answers/ask.ts";
import { lastDayOf, renewableFrom } from "../licenses/answers/judge.ts";
import { dayOf } from "../licenses/answers/read-question.ts";
import type { PublicLicense } from "../licenses/queries.ts";
import { findHeldLicense } from "../licenses/usage/sums.ts";
import type { UpgradeCredit } from "./upgrade-price.ts";
import { findCredit, findReplacement } from "./upgrades/lineage.ts";

/** The license that an order replaces. */
export type Replaced = PublicLicense;

/** A license of the account that an order is to replace. Throws 404 for one that the account has not. */
export const findReplaced = (db: Queryable, licenseId: string, userId: number): Promise<Replaced> =>
  findHeldLicense(db, licenseId, userId);

/**
 * How the license counts in the price of the one that replaces it. With `lock`, locks its order, so that of concurrent
 * upgrades one is placed. Throws 409 with the reason where it cannot be replaced.
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
    throw conflict(`License ${license.id} was replaced by that of order ${replacement.id}. Upgrade that one.`);
  if (replacement !== undefined)
    throw conflict(
      `Order ${replacement.id}, which replaces license ${license.id}, is being paid. Finish that payment, or wait up to 15 minutes until it ends.`,
    );
  requireStep(license, to, dayOf(now));
  if (to !== claims.license_type && order.currency !== currency)
    throw conflict(
      `License ${license.id} was paid in ${order.currency}, and prices are in ${currency} now, so there is no difference to pay. Buy the ${to} license.`,
    );
  // The price of another currency, and that of a license whose term is over, is not kept.
  const credit = await findCredit(transaction, license, to);
  const isKept = order.currency === currency && statusOf(license, dayOf(now)) === "valid";
  return isKept ? credit : { ...credit, keptCents: null };
}

function requireStep(license: Replaced, to: LicenseType, today: string): void {
  const { license_type: from } = license.claims;
  const lastDay = lastDayOf(grantOf(license));
  const isOver = lastDay !== null && today > lastDay;
  if (licenseTypes.indexOf(to) < licenseTypes.indexOf(from))
    throw conflict(
      `The ${to} license allows less than the ${from} license ${license.id}. Only a higher one upgrades it.`,
    );
  if (to !== from && isOver)
    throw conflict(
      `License ${license.id} expired on ${lastDay}, so its price does not count any more. Renew it, or buy the ${to} license.`,
    );
  if (to !== from || isOver) return;
  if (lastDay === null) throw conflict(`License ${license.id} has no end, so there is nothing to renew.`);
  const firstDay = renewableFrom(lastDay);
  if (today < firstDay)
    throw conflict(`License ${license.id} is valid until ${lastDay}, and can be renewed from ${firstDay} on.`);
}
