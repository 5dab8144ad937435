import { createHash } from "node:crypto";
import type { LicenseType } from "./license-types.ts";
import { type ChangedLimits, type LicenseBounds, type Limits, limitsOf } from "./limits.ts";
import { type TermsLimits, withLimits } from "./phrases.ts";
import type { TermsClause } from "./terms-text.ts";

/** The terms of one license type, before names are filled in (`terms-text.ts` defines what the text may contain). */
export interface TermsText {
  title: string;
  text: string;
  /** The text before the limits are filled in. Null for terms without limits. */
  template: string | null;
  limits: TermsLimits | null;
  /** The clauses as data. Null for terms that earlier releases recorded. */
  clauses: readonly TermsClause[] | null;
}

/** One version of the terms of all four license types. */
export interface Terms {
  version: string;
  texts: Record<LicenseType, TermsText>;
}

/** The terms of an order. */
export interface SoldTerms extends Pick<TermsText, "title" | "text"> {
  version: string;
}

export interface TermsWithLimits extends SoldTerms {
  /** Null for terms without limits. */
  limits: Limits | null;
  /** The clauses with the limits filled in. Null for terms that earlier releases recorded. */
  clauses: readonly TermsClause[] | null;
}

/** Returns the ranges in which licensors may change the limits, and null if the terms have no limits. */
export function boundsOf({ texts }: Terms): LicenseBounds | null {
  const { basic, premium, unlimited, exclusive } = texts;
  if (!basic.limits || !premium.limits || !unlimited.limits || !exclusive.limits) return null;
  return {
    basic: basic.limits.bounds,
    premium: premium.limits.bounds,
    unlimited: unlimited.limits.bounds,
    exclusive: exclusive.limits.bounds,
  };
}

/** The terms of an order. `changed` has the limits that the licensor changed; null if there are none. */
export function soldTerms(
  { version, title, text, template, limits, clauses }: TermsText & { version: string },
  changed: ChangedLimits | null,
): TermsWithLimits {
  if (template === null || limits === null) return { version, title, text, limits: null, clauses };
  const allowed = limitsOf(limits.bounds, changed ?? {});
  const fillIn = (written: string): string => withLimits(written, limits.phrases, allowed);
  return {
    version,
    title,
    text: changed === null ? text : fillIn(template),
    limits: allowed,
    clauses: clauses?.map((clause) => ({ ...clause, text: fillIn(clause.text) })) ?? null,
  };
}

/** The SHA-256 of the stored text, in lower-case hex. */
export const termsSha256 = ({ text }: Pick<TermsText, "text">): string =>
  createHash("sha256").update(text).digest("hex");
