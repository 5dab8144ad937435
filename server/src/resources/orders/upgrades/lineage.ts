import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { isPaid, type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";
import type { PublicLicense } from "../../licenses/queries.ts";
import type { UpgradeCredit } from "../upgrade-price.ts";

/** What was paid for the license of an order and not paid back, with the licenses that it was upgraded from. A renewal starts again. */
async function paidFor(db: Queryable, orderId: number): Promise<number> {
  const { rows } = await sql<{ paid: number }>`
    with recursive steps as (
      select id, license_type, amount_cents - refunded_cents as paid, upgrades_license from orders where id = ${orderId}
      union all
      select earlier.id, earlier.license_type, earlier.amount_cents - earlier.refunded_cents, earlier.upgrades_license
      from steps join licenses on licenses.id = steps.upgrades_license join orders earlier on earlier.id = licenses.order_id
      where earlier.license_type <> steps.license_type
    )
    select sum(paid)::bigint as paid from steps`.execute(db);
  return rows[0]?.paid ?? 0;
}

/** How this license counts in the price of one of the type `to`, if it can be replaced. */
export async function findCredit(db: Queryable, license: PublicLicense, to: LicenseType): Promise<UpgradeCredit> {
  const { claims, terms } = license;
  const paidCents = to === claims.license_type ? 0 : await paidFor(db, claims.order_id);
  const keeps = terms.clauses?.some(({ name, value }) => name === "upgrade_price" && value === "purchase") === true;
  return { paidCents, keptCents: keeps ? await listPriceOf(db, claims.order_id, to) : null };
}

/** The price of a license when the first order of these was placed; null for an older one, and a type without a price. */
async function listPriceOf(db: Queryable, orderId: number, type: LicenseType): Promise<number | null> {
  const { rows } = await sql<{ price: number | null }>`
    select list_prices[${licenseTypes.indexOf(type) + 1}::int] as price from orders where id = ${orderId}`.execute(db);
  const price = rows[0]?.price ?? null;
  return price === 0 && isPaid(type) ? null : price;
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
