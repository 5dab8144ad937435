import { lastDayOf } from "@beatmarket/license-terms/judge.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import { dayOf } from "@beatmarket/license-terms/question.ts";
import type { ListedStatus } from "@beatmarket/license-terms/status-entry.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { findTerms } from "../terms.ts";

/** The facts that decide the status of an order's license. */
export interface LicensedOrder {
  is_refunded: boolean;
  is_replaced: boolean;
  license_type: LicenseType;
  terms_version: string | null;
  license_limits: ChangedLimits | null;
  purchased_at: Date;
}

/** Whether another order's license replaced the license of a row of `orders`. */
export const isReplaced = sql<boolean>`exists (
  select from orders later join licenses replaced on replaced.id = later.upgrades_license
  where replaced.order_id = orders.id and later.status = 'completed'
    and not is_full_refund(later.refunded_at, later.refunded_cents, later.amount_cents))`;

/** The columns of a `LicensedOrder` in a statement on `orders`. */
export const statusColumns: RawBuilder<unknown> = sql`
  is_full_refund(orders.refunded_at, orders.refunded_cents, orders.amount_cents) as is_refunded,
  ${isReplaced} as is_replaced, orders.license_type, orders.terms_version, orders.license_limits,
  coalesce(orders.completed_at, orders.created_at) as purchased_at`;

export async function statusOfOrder(db: Queryable, order: LicensedOrder, now: Date): Promise<ListedStatus> {
  if (order.is_refunded) return "refunded";
  if (order.is_replaced) return "replaced";
  const { limits, clauses } = await findTerms(db, order.terms_version, order.license_type, order.license_limits);
  const lastDay = lastDayOf({ purchasedAt: order.purchased_at, isRefunded: false, files: [], limits, clauses });
  return lastDay !== null && dayOf(now) > lastDay ? "expired" : "valid";
}
