import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";
import { type ChangedLimits, type LicenseBounds, type Limits, limitsOf } from "../../beats/licensing/limits.ts";
import type { TermsClause } from "./clauses.ts";
import { type TermsLimits, withLimits } from "./limits.ts";

/** The terms of one type of license, before names are filled in (`blocks.ts` says what the text may contain). */
export interface TermsText {
  title: string;
  text: string;
  /** The text before its limits are filled in, and the limits (`limits.ts`); null for terms without limits. */
  template: string | null;
  limits: TermsLimits | null;
  /** The clauses as data; null for terms that earlier releases recorded. */
  clauses: readonly TermsClause[] | null;
}

/** One version of all four texts. */
export interface Terms {
  version: string;
  texts: Record<LicenseType, TermsText>;
}

/** The terms of an order. */
export interface SoldTerms extends Pick<TermsText, "title" | "text"> {
  version: string;
}

export interface TermsWithLimits extends SoldTerms {
  /** The limits; null for terms without limits. */
  limits: Limits | null;
  /** The sentences with the limits filled in; null for terms that earlier releases recorded. */
  clauses: readonly TermsClause[] | null;
}

/** The ranges in which producers may change the limits; null if the terms have no limits. */
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
 * version is stored with another text. Any number of instances may call it at once.
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
  const changed = rows.find((row) =>
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
  if (changed !== undefined)
    throw new OperatorError(
      `The terms of the ${changed.license_type} license changed under the version ${version}, which licenses may have been sold under. Give the changed terms a new version, or restore the text.`,
    );
}

/** The terms that were asked for last in each database, by version, type and changed limits. */
const knownTerms = new WeakMap<Queryable, Map<string, Promise<TermsWithLimits>>>();
/** About 10 kB each. There are more than versions and types, since producers may change limits. */
const maxKnownTerms = 300;

/**
 * Terms by version. They are kept in memory, since they never change under a version. Null, for an order from before terms had versions,
 * is the first version in this database. `changed`: the limits that the producer changed; null for those of the terms.
 */
export function findTerms(
  db: Queryable,
  version: string | null,
  type: string,
  changed: ChangedLimits | null,
): Promise<TermsWithLimits> {
  const known = knownTerms.get(db) ?? new Map<string, Promise<TermsWithLimits>>();
  knownTerms.set(db, known);
  const name = JSON.stringify([version, type, changed]);
  const keptTerms = known.get(name);
  const terms = keptTerms ?? readTerms(db, version, type, changed);
  // The map has the order of the last use.
  known.delete(name);
  known.set(name, terms);
  if (keptTerms !== undefined) return terms;
  for (const oldest of known.keys()) {
    if (known.size <= maxKnownTerms) break;
    known.delete(oldest);
  }
  const forget = () => known.delete(name);
  // A later release completes terms that were recorded without clauses.
  terms.then(({ clauses }) => clauses === null && forget(), forget);
  return terms;
}

async function readTerms(
  db: Queryable,
  version: string | null,
  type: string,
  changed: ChangedLimits | null,
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
  return soldTerms(terms, changed);
}

function soldTerms(
  { version, title, text, template, limits, clauses }: TermsText & { version: string },
  changed: ChangedLimits | null,
): TermsWithLimits {
  if (template === null || limits === null) return { version, title, text, limits: null, clauses };
  const allowed = limitsOf(limits.bounds, changed ?? {});
  const filled = (written: string): string => withLimits(written, limits.phrases, allowed);
  return {
    version,
    title,
    text: changed === null ? text : filled(template),
    limits: allowed,
    clauses: clauses?.map((clause) => ({ ...clause, text: filled(clause.text) })) ?? null,
  };
}

/** The SHA-256 of the stored text, in lower-case hex. */
export const termsSha256 = ({ text }: Pick<TermsText, "text">): string =>
  createHash("sha256").update(text).digest("hex");
