import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../../database/connect.ts";
import { type Grant, limitOf } from "../answers/judge.ts";
import { type CountedUse, countedUses, type UsageReport, type UsageSum } from "../counted-use.ts";
import { findPublicLicense, type PublicLicense } from "../queries.ts";
import { reportedUsageOf } from "../used.ts";

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
