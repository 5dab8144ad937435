import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { highestLimit } from "../../beats/licensing/limits.ts";
import { type AnswerParts, grantOf } from "../answers/ask.ts";
import { type LicenseUsage, maxReports, periodPattern, type UsageReport } from "../counted-use.ts";
import type { PublicLicense } from "../queries.ts";
import { noteLevels } from "./levels.ts";
import { findHeldLicense, sumsOf } from "./sums.ts";

interface Reporting {
  licenseId: string;
  userId: number;
  reports: readonly UsageReport[];
  requestId: string;
  now: Date;
}

/**
 * Stores a holder's reports, all or none. The same use, period and source replaces the earlier quantity. Throws 404 for
 * a license of another account, 400 for a period before the order or in the future, and 409 beyond the maximum number
 * of reports.
 */
export async function reportUsage(
  db: Queryable,
  parts: AnswerParts,
  { licenseId, userId, reports, requestId, now }: Reporting,
): Promise<LicenseUsage> {
  const license = await findHeldLicense(db, licenseId, userId);
  for (const { quantity, period } of reports) {
    requireQuantity(quantity);
    requirePeriod(license, period, now);
  }
  return transact(db, async (transaction) => {
    await lockLicense(transaction, license.id);
    await store(transaction, license.id, reports, now);
    const sums = await sumsOf(transaction, license.id, grantOf(license));
    await noteLevels(transaction, parts, license, { sums, requestId, now });
    return { licenseId: license.id, reports: [...reports], sums };
  });
}

function requireQuantity(quantity: number): void {
  if (quantity < 0 || quantity > highestLimit)
    throw invalidRequest(`The quantity field must be from 0 to ${highestLimit.toLocaleString("en-US")}.`, "quantity");
}

function requirePeriod({ claims }: PublicLicense, period: string, now: Date): void {
  if (!periodPattern.test(period))
    throw invalidRequest(`The period field takes a month such as 2027-01. Given: ${JSON.stringify(period)}.`, "period");
  const [ordered, present] = [claims.purchased_at.slice(0, 7), now.toISOString().slice(0, 7)];
  if (period < ordered)
    throw invalidRequest(
      `The period field is ${period}, before the month of the order, ${ordered}. Report what was used since then.`,
      "period",
    );
  if (period > present && period > ordered)
    throw invalidRequest(
      `The period field is ${period}, and this is ${present}. Report what was used by now.`,
      "period",
    );
}

/** Concurrent reports run one after the other, so that each sees the earlier sums. */
const lockLicense = (transaction: Queryable, id: string) =>
  transaction.selectFrom("licenses").select("id").where("id", "=", id).forNoKeyUpdate().execute();

async function store(
  transaction: Queryable,
  licenseId: string,
  reports: readonly UsageReport[],
  now: Date,
): Promise<void> {
  await transaction
    .insertInto("license_usage")
    .values(reports.map((report) => ({ license_id: licenseId, ...report, reported_at: now })))
    .onConflict((conflict) =>
      conflict
        .columns(["license_id", "use", "period", "source"])
        .doUpdateSet({ quantity: sql`excluded.quantity`, reported_at: now })
        .whereRef("license_usage.quantity", "<>", sql`excluded.quantity`),
    )
    .execute();
  const { count } = await transaction
    .selectFrom("license_usage")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("license_id", "=", licenseId)
    .executeTakeFirstOrThrow();
  if (Number(count) > maxReports)
    throw conflict(
      `A license has at most ${maxReports.toLocaleString("en-US")} reports, and these would be more. Report each month under fewer sources.`,
    );
}
