import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { isAvailable } from "../beats/licensing/exclusive.ts";
import { isPaid, type LicenseType, licensePriceColumns } from "../beats/licensing/licenses.ts";
import { nextOrderId } from "../orders/checkout/create-order.ts";
import type { CheckoutItem } from "./checkout.ts";

export interface WantedItem {
  beatId: number;
  licenseType: LicenseType;
  /** The license that the item upgrades or renews; absent or null for none. */
  upgrades?: string | null;
}

/** A license that can be bought; `amount_cents` is its price. */
export interface WantedLicense extends Omit<CheckoutItem, "discount_cents" | "upgrades_license" | "credit_cents"> {
  producer_id: number;
}

interface ItemQuery {
  wanted: readonly WantedItem[];
  /** Null for a stranger. */
  userId: number | null;
  now: Date;
}

/** The requested licenses that can be bought, each with the id for its order. Locks their beats by id. */
export const lockItems = (transaction: Queryable, wanted: ItemQuery): Promise<WantedLicense[]> =>
  select<WantedLicense>(transaction, wanted, sql`, ${nextOrderId} as order_id`, sql`for update of beats`);

/** The same for display: locks nothing and reserves no order ids. */
export const findLicenses = (db: Queryable, wanted: ItemQuery): Promise<Omit<WantedLicense, "order_id">[]> =>
  select(db, wanted, sql``, sql``);

async function select<Row>(
  db: Queryable,
  { wanted, userId, now }: ItemQuery,
  orderId: ReturnType<typeof sql>,
  lock: ReturnType<typeof sql>,
): Promise<Row[]> {
  const types = [...new Set(wanted.map(({ licenseType }) => licenseType))];
  const price = sql`case license_type ${sql.join(
    types.map((type) => sql`when ${type} then beats.${sql.ref(licensePriceColumns[type])}`),
    sql` `,
  )} end`;
  const { rows } = await sql<Row>`
    select beats.id as beat_id, license_type, ${price} as amount_cents, beats.title, beats.user_id as producer_id,
      users.display_name as producer_name, nullif(beats.license_limits -> license_type, '{}') as license_limits ${orderId}
    from unnest(${wanted.map(({ beatId }) => beatId)}::bigint[],
        ${wanted.map(({ licenseType }) => licenseType)}::text[],
        ${wanted.map(({ licenseType }) => (isPaid(licenseType) ? 1 : 0))}::integer[])
        as wanted (beat_id, license_type, least_cents)
      join beats on beats.id = wanted.beat_id join users on users.id = beats.user_id
    where beats.user_id is distinct from ${userId} and ${isAvailable(now)} and ${price} >= least_cents
      and license_type <> all (beats.unsold_licenses)
    order by beats.id ${lock}`.execute(db);
  return rows;
}
