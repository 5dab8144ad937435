import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { LicenseType } from "../../beats/licensing/licenses.ts";
import { isReplaced } from "../../licenses/status/status-of-order.ts";
import { sellersOf } from "./list-sales.ts";
import { findStandings } from "./standing.ts";

/** A license that the account sold, of which its holder has reported most of a limit as used. */
export interface NearlyUsed {
  order_id: number;
  title: string;
  license_type: LicenseType;
  buyer_name: string;
  use: "streams" | "copies" | "videos";
  /** 80 or 100, of the limit. */
  percent: number;
}

/** How many are read, since the end of a term is in the terms and not in the database. */
const maxRead = 500;

/** Those that are still valid, most used first, at most `limit`. */
export async function listNearlyUsed(
  db: Queryable,
  userId: number,
  { limit, now }: { limit: number; now: Date },
): Promise<NearlyUsed[]> {
  const sellers = await sellersOf(db, userId);
  const { rows } = await sql<NearlyUsed>`
    select orders.id as order_id, title, license_type, coalesce(orders.buyer_name, buyer.display_name) as buyer_name,
           level.use, max(level.percent) as percent
    from license_usage_levels level join licenses on licenses.id = level.license_id
      join orders on orders.id = licenses.order_id join users buyer on buyer.id = orders.user_id
    where orders.producer_id = any(${sellers}::bigint[]) and level.stands
      and not is_full_refund(orders.refunded_at, orders.refunded_cents, orders.amount_cents) and not ${isReplaced}
    group by orders.id, buyer.display_name, level.use
    order by percent desc, max(level.reached_at) desc, orders.id limit ${maxRead}`.execute(db);
  const standings = await findStandings(
    db,
    rows.map((row) => row.order_id),
    now,
  );
  return rows.filter((row) => standings.get(row.order_id)?.status === "valid").slice(0, limit);
}
