import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { isPaid, type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";
import type { PublicLicense } from "../../licenses/queries.ts";
import type { UpgradeCredit } from "../upgrade-price.ts";

/** What the orders of a license count in the price of the one that replaces it. */
export interface PaidRow {
  /** Of the order and of those before it, without what was paid back. A renewal starts again. */
  paid_cents: number;
  /** The prices, by type, when the first order was placed; null for an older one. */
  list_prices: number[] | null;
}

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

/** How a license counts in the price of one of the type `to`. */
export function creditFrom({ claims, terms }: PublicLicense, to: LicenseType, paid: PaidRow): UpgradeCredit {
  const keeps = terms.clauses?.some(({ name, value }) => name === "upgrade_price" && value === "purchase") === true;
  const price = paid.list_prices?.[licenseTypes.indexOf(to)] ?? null;
  const keptCents = price === 0 && isPaid(to) ? null : price;
  return { paidCents: to === claims.license_type ? 0 : paid.paid_cents, keptCents: keeps ? keptCents : null };
}

/** How this license counts in the price of one of the type `to`, if it can be replaced. */
export async function findCredit(db: Queryable, license: PublicLicense, to: LicenseType): Promise<UpgradeCredit> {
  const { rows } = await sql<PaidRow>`select ${paidColumns(license.claims.order_id)}`.execute(db);
  return creditFrom(license, to, rows[0] ?? { paid_cents: 0, list_prices: null });
}

/** The order that replaces the license of this one, or is being paid to; undefined without one. */
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
 * Locks the orders whose licenses these orders replace, and returns those of these orders that cannot any more: what they replace was
 * refunded in full.
 */
export async function lockReplaced(db: Queryable, orderIds: readonly number[]): Promise<Set<number>> {
  if (orderIds.length === 0) return new Set();
  const { rows } = await sql<{ id: number; is_over: boolean }>`
    select orders.id, is_full_refund(earlier.refunded_at, earlier.refunded_cents, earlier.amount_cents) as is_over
    from orders join licenses on licenses.id = orders.upgrades_license join orders earlier on earlier.id = licenses.order_id
    where orders.id = any(${orderIds}::bigint[]) order by earlier.id for no key update of earlier`.execute(db);
  return new Set(rows.filter(({ is_over }) => is_over).map(({ id }) => id));
}
