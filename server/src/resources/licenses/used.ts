import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { CountedUse } from "./counted-use.ts";

/**
 * What is reported as used, by use; uses without a report are left out. What was used of the licenses that this one was upgraded from
 * counts, and a renewal begins anew.
 */
export async function usedOf(db: Queryable, licenseId: string): Promise<Partial<Record<CountedUse, number>>> {
  const { rows } = await sql<{ use: CountedUse; used: number }>`
    with recursive steps as (
      select licenses.id, license_type, upgrades_license
      from licenses join orders on orders.id = order_id where licenses.id = ${licenseId}
      union all
      select licenses.id, earlier.license_type, earlier.upgrades_license
      from steps join licenses on licenses.id = steps.upgrades_license join orders earlier on earlier.id = order_id
      where earlier.license_type <> steps.license_type
    )
    select use, sum(quantity)::bigint as used from license_usage join steps on steps.id = license_id group by use`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ use, used }) => [use, used]));
}
