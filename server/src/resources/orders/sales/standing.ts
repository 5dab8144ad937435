import type { ListedStatus } from "@beatmarket/license-terms/status-entry.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { type LicensedOrder, statusColumns, statusOfOrder } from "../../licenses/status/status-of-order.ts";

/** The current status of a sale's license. */
export interface Standing {
  status: ListedStatus;
  /** The order whose license this license replaced. Null if it replaced none. */
  replaces: { orderId: number; isRenewal: boolean } | null;
}

/** Returns the standings by order id. */
export async function findStandings(
  db: Queryable,
  orderIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, Standing>> {
  const { rows } = await sql<LicensedOrder & { id: number; earlier_id: number | null; is_renewal: boolean | null }>`
    select orders.id, ${statusColumns}, earlier.id as earlier_id,
      earlier.license_type = orders.license_type as is_renewal
    from orders left join licenses held on held.id = orders.upgrades_license
      left join orders earlier on earlier.id = held.order_id
    where orders.id = any(${orderIds}::bigint[])`.execute(db);
  return new Map(
    await Promise.all(
      rows.map(async (row): Promise<[number, Standing]> => {
        const replaces =
          row.earlier_id === null ? null : { orderId: row.earlier_id, isRenewal: row.is_renewal === true };
        return [row.id, { status: await statusOfOrder(db, row, now), replaces }];
      }),
    ),
  );
}
