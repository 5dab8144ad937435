import { createHash } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../../database/connect.ts";
import { type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";

/** The terms of one type of license, before names are filled in (`blocks.ts` says what the text may contain). */
export interface TermsText {
  title: string;
  text: string;
}

/** One version of all four. */
export interface Terms {
  version: string;
  texts: Record<LicenseType, TermsText>;
}

/** Terms as an order was sold under them. */
export interface SoldTerms extends TermsText {
  version: string;
}

/**
 * Keeps the terms permanently, so that a license can show what it was sold under. Throws an OperatorError if the version is
 * known with another text. Any number of instances may do so at once.
 */
export async function recordTerms(db: Queryable, { version, texts }: Terms, now: Date): Promise<void> {
  const rows = licenseTypes.map((type) => ({ version, license_type: type, recorded_at: now, ...texts[type] }));
  await db
    .insertInto("license_terms")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await db.selectFrom("license_terms").selectAll().where("version", "=", version).execute();
  const changed = rows.find((row) =>
    kept.some((each) => each.license_type === row.license_type && (each.text !== row.text || each.title !== row.title)),
  );
  if (changed !== undefined)
    throw new OperatorError(
      `The terms of the ${changed.license_type} license changed under the version ${version}, which licenses may have been sold under. Give the changed terms a new version, or restore the text.`,
    );
}

/** Terms by version; null, of an order from before terms had versions, is the first version that this database knew. */
export async function findTerms(db: Queryable, version: string | null, type: string): Promise<SoldTerms> {
  const found = await db
    .selectFrom("license_terms")
    .select(["version", "title", "text"])
    .where("license_type", "=", type)
    .$if(version !== null, (query) => query.where("version", "=", version))
    .orderBy("recorded_at")
    .orderBy("version")
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) throw new Error(`No terms of the ${type} license are known under the version ${version}.`);
  return found;
}

/** Of the stored text, in lower-case hex. */
export const termsSha256 = ({ text }: TermsText): string => createHash("sha256").update(text).digest("hex");
