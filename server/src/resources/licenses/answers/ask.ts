import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../../database/connect.ts";
import { type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";
import { findPublicLicense, type PublicLicense } from "../queries.ts";
import { withNames } from "../terms/blocks.ts";
import type { TermsWithLimits } from "../terms/terms.ts";
import { type Grant, judge, lastDayOf, type licenseStates, type Question, type Verdict } from "./judge.ts";
import { type Asked, dayOf, readQuestion } from "./read-question.ts";

/** A license of a beat as it is sold now. */
export interface Offer {
  type: LicenseType;
  price: number;
  available: boolean;
  files: readonly string[];
  terms: TermsWithLimits;
}

export interface AnswerParts {
  /** ISO 4217. */
  currency: string;
  /** What is sold of a beat now; nothing of one that is gone. */
  offersOf(db: Queryable, beatId: number): Promise<readonly Offer[]>;
}

/** A purchase after which the answer is yes. */
export interface Remedy {
  type: LicenseType;
  isRenewal: boolean;
  price: number;
  currency: string;
  /** The last day of what is bought; null without an end. */
  validUntil: string | null;
}

export interface Answer {
  licenseId: string;
  /** As of today. */
  status: (typeof licenseStates)[number];
  question: Question;
  verdict: Verdict;
  remedy: Remedy | null;
}

/** Throws 404 for an id that no license has, and 400 for a day before the order. */
export async function askLicense(
  db: Queryable,
  clock: Clock,
  parts: AnswerParts,
  { licenseId, asked }: { licenseId: string; asked: Asked },
): Promise<Answer> {
  const license = await findPublicLicense(db, licenseId);
  if (license === null)
    throw notFound(`No license has the id ${licenseId}; compare it with the address on the certificate.`);
  const now = new Date(clock.nowMs());
  const today = dayOf(now);
  const grant = grantOf(license);
  const question = readQuestion(asked, { ordered: dayOf(grant.purchasedAt), today });
  const verdict = judge(grant, question);
  const lastDay = lastDayOf(grant);
  return {
    licenseId: license.id,
    status: grant.isRefunded ? "refunded" : lastDay !== null && today > lastDay ? "expired" : "valid",
    question,
    verdict,
    remedy: verdict.allowed === "no" ? await findRemedy(db, parts, license, { question, now }) : null,
  };
}

/** What the certificate says, with its clauses as they are printed. */
const grantOf = ({ claims, terms, refundedAt }: PublicLicense): Grant => ({
  purchasedAt: new Date(claims.purchased_at),
  isRefunded: refundedAt !== null,
  files: claims.files.map(({ kind }) => kind),
  limits: terms.limits,
  clauses:
    terms.clauses?.map((clause) => ({
      ...clause,
      text: withNames(clause.text, { beat: claims.beat.title, producer: claims.producer.name }),
    })) ?? null,
});

/** The lowest license from this one up whose purchase today turns the answer into yes; null without one. */
async function findRemedy(
  db: Queryable,
  { currency, offersOf }: AnswerParts,
  { claims }: PublicLicense,
  { question, now }: { question: Question; now: Date },
): Promise<Remedy | null> {
  if (question.on < dayOf(now)) return null;
  const fromHere = licenseTypes.slice(licenseTypes.indexOf(claims.license_type));
  const offers = (await offersOf(db, claims.beat.id)).filter(
    ({ type, available }) => available && fromHere.includes(type),
  );
  for (const { type, price, files, terms } of offers) {
    const grant = { purchasedAt: now, isRefunded: false, files, limits: terms.limits, clauses: terms.clauses };
    if (judge(grant, question).allowed !== "yes") continue;
    const isRenewal = type === claims.license_type;
    return { type, isRenewal, price, currency, validUntil: lastDayOf(grant) };
  }
  return null;
}
