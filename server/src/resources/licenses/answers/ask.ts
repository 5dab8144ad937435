import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import {
  clauseOf,
  type Grant,
  judge,
  type LicenseState,
  lastDayOf,
  type Question,
  renewableFrom,
  type Verdict,
} from "@beatmarket/license-terms/judge.ts";
import { type LicenseType, licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { dayOf, type QuestionBody, readQuestion } from "@beatmarket/license-terms/question.ts";
import type { TermsWithLimits } from "@beatmarket/license-terms/terms.ts";
import type { TermsClause } from "@beatmarket/license-terms/terms-text.ts";
import { withNames } from "@beatmarket/license-terms/terms-text.ts";
import { type CountedUse, isCountedUse } from "@beatmarket/license-terms/usage.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findPublicLicense, isLicenseId, type PublicLicense } from "../queries.ts";
import { reportedUsageOf } from "../used.ts";

/** A license of a beat that can be bought now. */
export interface Offer {
  type: LicenseType;
  /** The price for the account that asks, in `AnswerParts.currency`. */
  price: number;
  /** The kinds of the license's files. */
  files: readonly string[];
  terms: TermsWithLimits;
}

export interface AnswerParts {
  /** Short reads of the primary database, without transactions. */
  reads: Queryable;
  /** ISO 4217. */
  currency: string;
  /** The origin of links, without a trailing slash. */
  publicUrl: string;
  /**
   * The licenses of the same beat that can be bought now. `asUpgrade`: at the prices of an upgrade for the holder, who
   * pays the difference. Empty for a deleted beat.
   */
  offersOf(db: Queryable, license: PublicLicense, asUpgrade: boolean): Promise<readonly Offer[]>;
}

/** A purchase that makes the answer yes. */
export interface Remedy {
  type: LicenseType;
  isRenewal: boolean;
  price: number;
  currency: string;
  /** The last day of the new license; null without an end. */
  validUntil: string | null;
}

export interface Answer {
  licenseId: string;
  /** The state of the license today. */
  status: LicenseState;
  /** The license that replaced this one; null without a replacement, and before its certificate is issued. */
  replacedBy: string | null;
  question: Question;
  verdict: Verdict;
  /** The reported usage of the clause; null without reports, and for everyone except the holder. */
  used: number | null;
  remedy: Remedy | null;
}

/**
 * Answers a question. For the holder, the reported usage is added to `quantity`. `askingAccountId` is null without an
 * API key, and for a key without `orders:read`. Throws 404 for an unknown id, and 400 for a day before the order.
 */
export async function askLicense(
  clock: Clock,
  parts: AnswerParts,
  { licenseId, body, askingAccountId }: { licenseId: string; body: QuestionBody; askingAccountId: number | null },
): Promise<Answer> {
  const { reads } = parts;
  const isCounted = askingAccountId !== null && isCountedUse(clauseOf(body.use)) && isLicenseId(licenseId);
  // Both queries are sent together, before it is known whether the holder asks.
  const [license, reported] = await Promise.all([
    findPublicLicense(reads, licenseId),
    isCounted ? reportedUsageOf(reads, licenseId) : {},
  ]);
  if (license === null)
    throw notFound(`No license has the id ${licenseId}; compare it with the address on the certificate.`);
  const now = new Date(clock.nowMs());
  const today = dayOf(now);
  const grant = grantOf(license);
  const question = readQuestion(body, { ordered: dayOf(grant.purchasedAt), today });
  const isHolder = askingAccountId === license.holderId;
  const usage = isHolder ? reported : {};
  const total = withUsage(question, usage);
  const verdict = judge(grant, total);
  const { clause } = verdict;
  return {
    licenseId: license.id,
    status: statusOf(license, today),
    replacedBy: license.replaced?.licenseId ?? null,
    question,
    verdict: { ...verdict, clause: clause && asPrinted(clause, license) },
    used: usedBy(clause?.name, usage) ?? null,
    // A replaced license has no remedy. The question belongs to the license that replaced it.
    remedy:
      verdict.allowed === "no" && license.replaced === null
        ? await findRemedy(reads, parts, license, { question, used: usage, now, isHolder })
        : null,
  };
}

type Used = Partial<Record<CountedUse, number>>;

const usedBy = (clause: string | undefined, usage: Used): number | undefined =>
  clause !== undefined && isCountedUse(clause) ? usage[clause] : undefined;

const withUsage = (question: Question, usage: Used): Question => ({
  ...question,
  quantity: question.quantity + (usedBy(clauseOf(question.use), usage) ?? 0),
});

/** A clause as the certificate prints it. */
const asPrinted = (clause: TermsClause, { claims: { beat, producer } }: PublicLicense): TermsClause => ({
  ...clause,
  text: withNames(clause.text, { beat: beat.title, producer: producer.name }),
});

/** The grant in the certificate. */
export const grantOf = ({ claims, terms, refundedAt }: PublicLicense): Grant => ({
  purchasedAt: new Date(claims.purchased_at),
  isRefunded: refundedAt !== null,
  files: claims.files.map(({ kind }) => kind),
  limits: terms.limits,
  clauses: terms.clauses,
});

/** The state of a license on a day. `today` is in UTC. */
export function statusOf(license: PublicLicense, today: string): LicenseState {
  if (license.refundedAt !== null) return "refunded";
  if (license.replaced !== null) return "replaced";
  const lastDay = lastDayOf(grantOf(license));
  return lastDay !== null && today > lastDay ? "expired" : "valid";
}

/**
 * Whether the same license can be bought again today: after a full refund, after its end, or within 90 days before its
 * last day.
 */
function isRenewable(license: PublicLicense, today: string): boolean {
  if (license.refundedAt !== null) return true;
  const lastDay = lastDayOf(grantOf(license));
  return lastDay !== null && today >= renewableFrom(lastDay);
}

/**
 * The lowest license, from this type up, whose purchase today makes the answer yes; null if no license does, and for a
 * past day. The holder of a valid license gets a higher license for the difference. Others get the whole price, since
 * they may not learn the paid amount. Reported usage counts for an upgrade only: every other purchase starts at 0.
 */
export async function findRemedy(
  db: Queryable,
  { currency, offersOf }: AnswerParts,
  license: PublicLicense,
  { question, used, now, isHolder }: { question: Question; used: Used; now: Date; isHolder: boolean },
): Promise<Remedy | null> {
  const today = dayOf(now);
  if (question.on < today) return null;
  const { claims } = license;
  const isUpgradeable = statusOf(license, today) === "valid";
  const candidateTypes = licenseTypes
    .slice(licenseTypes.indexOf(claims.license_type))
    .filter((type) => type !== claims.license_type || isRenewable(license, today));
  const offers = (await offersOf(db, license, isHolder && isUpgradeable)).filter(({ type }) =>
    candidateTypes.includes(type),
  );
  for (const { type, price, files, terms } of offers) {
    const isRenewal = type === claims.license_type;
    const grant = { purchasedAt: now, isRefunded: false, files, limits: terms.limits, clauses: terms.clauses };
    const total = isUpgradeable && !isRenewal ? withUsage(question, used) : question;
    if (judge(grant, total).allowed !== "yes") continue;
    return { type, isRenewal, price, currency, validUntil: lastDayOf(grant) };
  }
  return null;
}
