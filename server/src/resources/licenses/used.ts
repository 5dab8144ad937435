import { notFound } from "@beatmarket/foundation/errors.ts";
import { type Grant, limitOf } from "@beatmarket/license-terms/judge.ts";
import { type CountedUse, countedUses, type UsageReport, type UsageSum } from "@beatmarket/license-terms/usage.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { findPublicLicense, type PublicLicense } from "./queries.ts";

/**
 * Returns the reported usage, by use. Uses without a report are absent. If the license is an upgrade, usage of the
 * earlier licenses counts too. If it is a renewal, usage of the earlier license does not count.
 */
export async function reportedUsageOf(db: Queryable, licenseId: string): Promise<Partial<Record<CountedUse, number>>> {
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

/** Returns a license of the account. Throws 404 for every other id. */
export async function findHeldLicense(db: Queryable, licenseId: string, userId: number): Promise<PublicLicense> {
  const license = await findPublicLicense(db, licenseId);
  if (license?.holderId !== userId)
    throw notFound(`You have no license ${licenseId}; compare it with the certificate of your order.`);
  return license;
}

export async function sumsOf(db: Queryable, licenseId: string, grant: Grant): Promise<UsageSum[]> {
  const usage = await reportedUsageOf(db, licenseId);
  return countedUses.map((use) => ({ use, used: usage[use] ?? 0, limit: limitOf(grant, use) }));
}

export const listReports = (db: Queryable, licenseId: string): Promise<UsageReport[]> =>
  db
    .selectFrom("license_usage")
    .select(["use", "quantity", "period", "source"])
    .$narrowType<{ use: CountedUse }>()
    .where("license_id", "=", licenseId)
    .orderBy("use")
    .orderBy("period")
    .orderBy("source")
    .execute();
