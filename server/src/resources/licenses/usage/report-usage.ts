import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { dayOf } from "@beatmarket/license-terms/question.ts";
import type { UsageSum } from "@beatmarket/license-terms/usage.ts";
import { type LicenseUsage, maxReports, periodPattern, type UsageReport } from "@beatmarket/license-terms/usage.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { queueMails } from "../../mails/outbox.ts";
import { emitEvents } from "../../webhooks/outbox.ts";
import { type AnswerParts, findRemedy, grantOf, type Remedy } from "../answers/ask.ts";
import { findPublicLicense, type PublicLicense } from "../queries.ts";
import { findHeldLicense, sumsOf } from "../used.ts";

interface ReportsOfHolder {
  licenseId: string;
  userId: number;
  reports: readonly UsageReport[];
  requestId: string;
  now: Date;
}

/**
 * Stores a holder's reports, all or none. A report replaces the earlier quantity of the same use, period and source.
 * Throws 404 for a license of another account. Throws 400 for a period before the order or in the future. Throws 409 if
 * the license would have too many reports.
 */
export async function reportUsage(
  db: Queryable,
  parts: AnswerParts,
  { licenseId, userId, reports, requestId, now }: ReportsOfHolder,
): Promise<LicenseUsage> {
  const license = await findHeldLicense(db, licenseId, userId);
  for (const { period } of reports) requirePeriod(license, period, now);
  return transact(db, async (transaction) => {
    await lockLicense(transaction, license.id);
    await storeReports(transaction, license.id, reports, now);
    const sums = await sumsOf(transaction, license.id, grantOf(license));
    const reached = await recordLevels(transaction, license.id, sums, now);
    // Reads the license again, because an upgrade may have replaced it before the lock.
    const current = await lockCurrent(transaction, await findHeldLicense(transaction, licenseId, userId));
    if (current !== null) {
      const levelsToReport =
        current.id === license.id
          ? reached
          : await recordLevels(transaction, current.id, await sumsOf(transaction, current.id, grantOf(current)), now);
      for (const each of levelsToReport) await notify(transaction, parts, current, { ...each, requestId, now });
    }
    return { licenseId: license.id, reports: [...reports], sums };
  });
}

/**
 * Locks and returns the license whose limits apply to the reported usage. After upgrades this is the last license,
 * because the usage counts for it, too. Null if the limits no longer matter: after a refund, a renewal, or an upgrade
 * that has no certificate yet.
 */
async function lockCurrent(transaction: Queryable, license: PublicLicense): Promise<PublicLicense | null> {
  let current = license;
  // Each upgrade has a higher type, so this ends.
  while (current.replaced !== null) {
    const { licenseId } = current.replaced;
    const next = licenseId === null ? null : await findPublicLicense(transaction, licenseId);
    if (next === null || next.claims.license_type === current.claims.license_type) return null;
    await lockLicense(transaction, next.id);
    current = next;
  }
  return current.refundedAt === null ? current : null;
}

function requirePeriod({ claims }: PublicLicense, period: string, now: Date): void {
  if (!periodPattern.test(period))
    throw invalidRequest(`The period field takes a month such as 2027-01. Given: ${JSON.stringify(period)}.`, "period");
  const ordered = claims.purchased_at.slice(0, 7);
  const present = now.toISOString().slice(0, 7);
  if (period < ordered)
    throw invalidRequest(
      `The period field is ${period}, before the month of the order, ${ordered}. Report what was used since then.`,
      "period",
    );
  if (period > present && period > ordered)
    throw invalidRequest(
      `The period field is ${period}, which is in the future; the present month is ${present}. Report only past use.`,
      "period",
    );
}

/** Makes concurrent reports run one after the other, so that each report sees the earlier sums. */
const lockLicense = (transaction: Queryable, id: string) =>
  transaction.selectFrom("licenses").select("id").where("id", "=", id).forNoKeyUpdate().execute();

async function storeReports(
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

/** The percentages of a limit at which the holder is notified. */
const levels = [80, 100] as const;

/**
 * Records which percentages of the limits the usage has reached. Returns those that it reached for the first time. The
 * column `stands` says whether the usage reaches the percentage now: a corrected report may lower the usage. A replaced
 * license is recorded, too: it is valid again if its upgrade is refunded.
 */
async function recordLevels(
  transaction: Queryable,
  licenseId: string,
  sums: readonly UsageSum[],
  now: Date,
): Promise<ReachedLevels[]> {
  const reachedFirst: ReachedLevels[] = [];
  for (const sum of sums) {
    const { use, used, limit } = sum;
    if (limit === null) continue;
    const reached = levels.filter((percent) => used > 0 && used * 100 >= limit * percent);
    await transaction
      .updateTable("license_usage_levels")
      .set({ stands: sql<boolean>`percent = any(${reached}::smallint[])` })
      .where("license_id", "=", licenseId)
      .where("use", "=", use)
      .execute();
    if (reached.length === 0) continue;
    const newLevels = await transaction
      .insertInto("license_usage_levels")
      .values(reached.map((percent) => ({ license_id: licenseId, use, percent, reached_at: now, stands: true })))
      .onConflict((conflict) => conflict.doNothing())
      .returning("percent")
      .execute();
    if (newLevels.length === 0) continue;
    const percents = newLevels.map((each) => each.percent).sort((one, other) => one - other);
    reachedFirst.push({ sum: { ...sum, limit }, percents });
  }
  return reachedFirst;
}

interface ReachedLevels {
  sum: UsageSum & { limit: number };
  /** The percentages that were reached for the first time, lowest first. */
  percents: readonly number[];
}

/**
 * Notifies the holder by an event for each percentage, and by a mail for the highest. Both name a license with a higher
 * limit, if one is for sale.
 */
async function notify(
  transaction: Queryable,
  parts: AnswerParts,
  license: PublicLicense,
  { sum: { use, used, limit }, percents, requestId, now }: ReachedLevels & { requestId: string; now: Date },
): Promise<void> {
  const { claims, holderId } = license;
  const question = { use, quantity: Math.max(limit - used, 0) + 1, territory: null, on: dayOf(now) };
  const usedNow = { [use]: used };
  const remedy = await findRemedy(transaction, parts, license, { question, used: usedNow, now, isHolder: true });
  const dataOf = (percent: number) => ({
    license_id: license.id,
    order_id: claims.order_id,
    beat_id: claims.beat.id,
    title: claims.beat.title,
    license_type: claims.license_type,
    use,
    percent,
    used,
    limit,
    remedy: remedy && { license_type: remedy.type, price: remedy.price, currency: remedy.currency },
  });
  await emitEvents(
    transaction,
    percents.map((percent) => ({
      type: "license.usage",
      data: dataOf(percent),
      at: now,
      audience: [holderId],
      requestId,
    })),
  );
  const holder = await transaction.selectFrom("users").select("email").where("id", "=", holderId).executeTakeFirst();
  if (holder?.email == null) return;
  const facts = {
    title: claims.beat.title,
    license: claims.license_type,
    order: String(claims.order_id),
    use,
    percent: String(percents.at(-1)),
    used: used.toLocaleString("en-US"),
    limit: limit.toLocaleString("en-US"),
    remedy: remedyText(remedy),
    link: `${parts.publicUrl}/portal/library?order=${claims.order_id}`,
  };
  await queueMails(transaction, [{ userId: holderId, to: holder.email, template: "license-usage", facts }], now);
}

const remedyText = (remedy: Remedy | null): string =>
  remedy === null
    ? "No license of this beat that allows more is for sale at the moment. Write to the producer from your library."
    : `For more, buy the ${remedy.type} license. It costs ${formatAmount(Math.round(remedy.price * 100), remedy.currency)} today.`;

/** Deletes the reports of an erased user. */
export async function eraseUsage(transaction: Queryable, userId: number): Promise<void> {
  const licenses = transaction
    .selectFrom("licenses")
    .innerJoin("orders", "orders.id", "licenses.order_id")
    .select("licenses.id")
    .where("orders.user_id", "=", userId);
  await transaction.deleteFrom("license_usage_levels").where("license_id", "in", licenses).execute();
  await transaction.deleteFrom("license_usage").where("license_id", "in", licenses).execute();
}
