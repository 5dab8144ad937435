import { isDeepStrictEqual } from "node:util";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import type { TermsLimits } from "@beatmarket/license-terms/phrases.ts";
import { soldTerms, type Terms, type TermsWithLimits } from "@beatmarket/license-terms/terms.ts";
import type { TermsClause } from "@beatmarket/license-terms/terms-text.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/**
 * Stores the terms permanently, so that a license can show the terms of its order. Throws an OperatorError if the
 * version is stored with other terms. Any number of instances may call this function at once.
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
 * The terms of a license take about 10 kB. The cache has more entries than there are versions and types, because
 * producers may change limits.
 */
const maxCachedTerms = 300;

/**
 * Returns the terms of a version, from memory if possible: terms never change under a version. An order from before
 * terms had versions has the version null, which stands for the first version in this database. `changedLimits` has the
 * limits that the producer changed, and is null for the standard limits.
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
  // Terms without clauses are not cached, since a later release completes them.
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
