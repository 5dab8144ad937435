import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";
import { type ChangedLimits, type LicenseBounds, type Limits, limitsOf } from "../../beats/licensing/limits.ts";
import type { TermsClause } from "./clauses.ts";
import { type TermsLimits, withLimits } from "./limits.ts";

/** The terms of one license type, before names are filled in (`clauses.ts` defines what the text may contain). */
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

/** Returns the ranges in which producers may change the limits, and null if the terms have no limits. */
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

/**
 * Stores the terms permanently, so that a license can show the terms of its order. Throws an OperatorError if the
 * version is stored with another text. Any number of instances may call this function at once.
 */
export async function recordTerms(db: Queryable, { version, texts }: Terms, now: Date): Promise<void> {
  const rows = licenseTypes.map((type) => {
    const { clauses, ...text } = texts[type];
    return { version, license_type: type, recorded_at: now, ...text, clauses: clauses && JSON.stringify(clauses) };
  });
  await db
    .insertInto("license_terms")
    .values(rows)
    .onConflict((conflict) =>
      // Completes versions that were stored before terms had limits or clauses.
      conflict
        .columns(["version", "license_type"])
        .doUpdateSet({
          template: sql`coalesce(license_terms.template, excluded.template)`,
          limits: sql`coalesce(license_terms.limits, excluded.limits)`,
          clauses: sql`coalesce(license_terms.clauses, excluded.clauses)`,
        })
        .where((where) =>
          where.or([where("license_terms.template", "is", null), where("license_terms.clauses", "is", null)]),
        )
        .whereRef("license_terms.text", "=", sql`excluded.text`),
    )
    .execute();
  const stored = await db.selectFrom("license_terms").selectAll().where("version", "=", version).execute();
  const changedRow = rows.find((row) =>
    stored.some(
      (each) =>
        each.license_type === row.license_type &&
        (each.text !== row.text ||
          each.title !== row.title ||
          each.template !== row.template ||
          !isDeepStrictEqual(each.limits, row.limits) ||
          !isDeepStrictEqual(each.clauses, texts[row.license_type].clauses)),
    ),
  );
  if (changedRow !== undefined)
    throw new OperatorError(
      `The terms of the ${changedRow.license_type} license changed under the version ${version}, which licenses may have been sold under. Give the changed terms a new version, or restore the text.`,
    );
}

/** For each database, the terms that were read last, by version, type and changed limits. */
const termsCaches = new WeakMap<Queryable, Map<string, Promise<TermsWithLimits>>>();
/**
 * Terms have about 10 kB. The cache has more entries than there are versions and types, because producers may change
 * limits.
 */
const maxCachedTerms = 300;

/**
 * Returns the terms of a version, from memory if possible: terms never change under a version. The version null stands
 * for the first version in this database; orders that are older than versions have it. `changed` has the limits that
 * the producer changed, and is null for the standard limits.
 */
export function findTerms(
  db: Queryable,
  version: string | null,
  type: string,
  changedLimits: ChangedLimits | null,
): Promise<TermsWithLimits> {
  const cache = termsCaches.get(db) ?? new Map<string, Promise<TermsWithLimits>>();
  termsCaches.set(db, cache);
  const name = JSON.stringify([version, type, changedLimits]);
  const cached = cache.get(name);
  const terms = cached ?? readTerms(db, version, type, changedLimits);
  // The map has the order of the last use.
  cache.delete(name);
  cache.set(name, terms);
  if (cached !== undefined) return terms;
  for (const oldest of cache.keys()) {
    if (cache.size <= maxCachedTerms) break;
    cache.delete(oldest);
  }
  const removeFromCache = () => cache.delete(name);
  // A later release completes terms that were recorded without clauses.
  terms.then(({ clauses }) => clauses === null && removeFromCache(), removeFromCache);
  return terms;
}

async function readTerms(
  db: Queryable,
  version: string | null,
  type: string,
  changedLimits: ChangedLimits | null,
): Promise<TermsWithLimits> {
  const terms = await db
    .selectFrom("license_terms")
    .select(["version", "title", "text", "template", "limits", "clauses"])
    .$narrowType<{ limits: TermsLimits | null; clauses: TermsClause[] | null }>()
    .where("license_type", "=", type)
    .$if(version !== null, (query) => query.where("version", "=", version))
    .orderBy("recorded_at")
    .orderBy("version")
    .limit(1)
    .executeTakeFirst();
  if (terms === undefined) throw new Error(`No terms of the ${type} license are known under the version ${version}.`);
  return soldTerms(terms, changedLimits);
}

function soldTerms(
  { version, title, text, template, limits, clauses }: TermsText & { version: string },
  changedLimits: ChangedLimits | null,
): TermsWithLimits {
  if (template === null || limits === null) return { version, title, text, limits: null, clauses };
  const allowed = limitsOf(limits.bounds, changedLimits ?? {});
  const fillIn = (template: string): string => withLimits(template, limits.phrases, allowed);
  return {
    version,
    title,
    text: changedLimits === null ? text : fillIn(template),
    limits: allowed,
    clauses: clauses?.map((clause) => ({ ...clause, text: fillIn(clause.text) })) ?? null,
  };
}

/** The SHA-256 of the stored text, in lower-case hex. */
export const termsSha256 = ({ text }: Pick<TermsText, "text">): string =>
  createHash("sha256").update(text).digest("hex");
