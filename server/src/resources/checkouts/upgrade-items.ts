import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { isAvailable } from "../beats/licensing/exclusive.ts";
import { isPaid, licensePriceColumns } from "../beats/licensing/licenses.ts";
import { nextOrderId } from "../orders/checkout/create-order.ts";
import { creditOf, dueCents, findCredit, findReplaced, noCredit, type UpgradeCredit } from "../orders/upgrade.ts";
import type { CheckoutItem } from "./checkout.ts";

/** The license that an item replaces, with the credit for the license. */
export interface Credit {
  licenseId: string;
  from: LicenseType;
  credit: UpgradeCredit;
}

interface UpgradeContext {
  /** Null for a buyer without an account, who has no license. */
  userId: number | null;
  currency: string;
  now: Date;
  /**
   * Whether to lock the orders of the replaced licenses. They are locked in the order of their ids, so that concurrent
   * checkouts do not deadlock.
   */
  lock: boolean;
}

/**
 * The credits of the items that upgrade or renew a license, by beat. Throws 404 for a license that the buyer does not
 * have, 400 for a license of another beat, and 409 for a license that cannot be replaced. Must run before the beats are
 * locked.
 */
export async function findCredits(
  db: Queryable,
  requestedItems: readonly RequestedItem[],
  { userId, ...context }: UpgradeContext,
): Promise<ReadonlyMap<number, Credit>> {
  const upgrades = [];
  for (const { beatId, licenseType, upgrades: licenseId = null } of requestedItems) {
    if (licenseId === null) continue;
    const license = await findReplaced(db, licenseId, userId ?? 0);
    if (license.claims.beat.id !== beatId)
      throw invalidRequest(
        `items: license ${licenseId} is for beat ${license.claims.beat.id}, and its item is for beat ${beatId}. An upgrade must be for the same beat.`,
        "items",
      );
    upgrades.push({ beatId, licenseType, license });
  }
  const credits = new Map<number, Credit>();
  for (const { beatId, licenseType, license } of upgrades.toSorted(
    (one, other) => one.license.claims.order_id - other.license.claims.order_id,
  )) {
    const credit = await creditOf(db, license, { to: licenseType, ...context });
    credits.set(beatId, { licenseId: license.id, from: license.claims.license_type, credit });
  }
  return credits;
}

/**
 * Returns the item with the credit of its beat: the amount to pay is the price minus the credit. Without a credit it is
 * the price.
 */
export const asUpgrade = <Item extends { beat_id: number; amount_cents: number }>(
  item: Item,
  credits: ReadonlyMap<number, Credit>,
): Item & Pick<CheckoutItem, "upgrades_license" | "credit_cents"> => {
  const { licenseId = null, credit = noCredit } = credits.get(item.beat_id) ?? {};
  const amount_cents = dueCents(item.amount_cents, credit);
  return { ...item, amount_cents, upgrades_license: licenseId, credit_cents: item.amount_cents - amount_cents };
};

/**
 * The first item whose license can no longer be replaced when the payment arrives: the license was refunded or replaced
 * in the meantime, or its credit is lower now. Locks the orders of the licenses by id until the transaction ends.
 */
export async function findIrreplaceableItem(
  transaction: Queryable,
  items: readonly CheckoutItem[],
  userId: number,
): Promise<CheckoutItem | undefined> {
  const ids = items.flatMap(({ upgrades_license }) => upgrades_license ?? []);
  if (ids.length === 0) return undefined;
  // Locks before it reads, so that it sees the changes of earlier holders of the locks.
  await sql`
    select from orders where id in (select order_id from licenses where id = any (${ids}::uuid[]))
    order by id for no key update`.execute(transaction);
  const { rows } = await sql<{ license_id: string; order_id: number; license_type: string; is_over: boolean }>`
    select licenses.id as license_id, earlier.id as order_id, earlier.license_type,
      earlier.user_id <> ${userId} or is_full_refund(earlier.refunded_at, earlier.refunded_cents, earlier.amount_cents)
      or exists (select from orders later where later.upgrades_license = licenses.id and later.status <> 'failed'
        and not is_full_refund(later.refunded_at, later.refunded_cents, later.amount_cents)) as is_over
    from licenses join orders earlier on earlier.id = licenses.order_id
    where licenses.id = any (${ids}::uuid[])`.execute(transaction);
  const replaced = new Map(rows.map((row) => [row.license_id, row]));
  for (const item of items) {
    if (item.upgrades_license === null) continue;
    const row = replaced.get(item.upgrades_license);
    if (row === undefined || row.is_over) return item;
    if (item.credit_cents === 0) continue;
    const license = await findReplaced(transaction, item.upgrades_license, userId);
    const credit = await findCredit(transaction, license, item.license_type);
    if (dueCents(item.amount_cents + item.credit_cents, credit) > item.amount_cents) return item;
  }
  return undefined;
}

export interface RequestedItem {
  beatId: number;
  licenseType: LicenseType;
  /** The license that the item upgrades or renews; absent or null for a new license. */
  upgrades?: string | null;
}

/** A requested license that can be bought; `amount_cents` is its price. */
export interface RequestedLicense extends Omit<CheckoutItem, "discount_cents" | "upgrades_license" | "credit_cents"> {
  producer_id: number;
}

interface ItemQuery {
  requestedItems: readonly RequestedItem[];
  /** Null for a buyer without an account. */
  userId: number | null;
  now: Date;
}

/** The requested licenses that can be bought, each with the id for its order. Locks their beats by id. */
export const lockItems = (transaction: Queryable, query: ItemQuery): Promise<RequestedLicense[]> =>
  selectLicenses<RequestedLicense>(transaction, query, sql`, ${nextOrderId} as order_id`, sql`for update of beats`);

/** The requested licenses that can be bought, for display: without locks and order ids. */
export const findLicenses = (db: Queryable, query: ItemQuery): Promise<Omit<RequestedLicense, "order_id">[]> =>
  selectLicenses(db, query, sql``, sql``);

async function selectLicenses<Row>(
  db: Queryable,
  { requestedItems, userId, now }: ItemQuery,
  orderId: ReturnType<typeof sql>,
  lock: ReturnType<typeof sql>,
): Promise<Row[]> {
  const types = [...new Set(requestedItems.map(({ licenseType }) => licenseType))];
  const price = sql`case license_type ${sql.join(
    types.map((type) => sql`when ${type} then beats.${sql.ref(licensePriceColumns[type])}`),
    sql` `,
  )} end`;
  const { rows } = await sql<Row>`
    select beats.id as beat_id, license_type, ${price} as amount_cents, beats.title, beats.user_id as producer_id,
      users.display_name as producer_name, nullif(beats.license_limits -> license_type, '{}') as license_limits ${orderId}
    from unnest(${requestedItems.map(({ beatId }) => beatId)}::bigint[],
        ${requestedItems.map(({ licenseType }) => licenseType)}::text[],
        ${requestedItems.map(({ licenseType }) => (isPaid(licenseType) ? 1 : 0))}::integer[])
        as wanted (beat_id, license_type, least_cents)
      join beats on beats.id = wanted.beat_id join users on users.id = beats.user_id
    where beats.user_id is distinct from ${userId} and ${isAvailable(now)} and ${price} >= least_cents
      and license_type <> all (beats.unsold_licenses)
    order by beats.id ${lock}`.execute(db);
  return rows;
}
