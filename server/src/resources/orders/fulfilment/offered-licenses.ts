import { type Clause, comparedClauses } from "@beatmarket/license-terms/clauses.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import type { Limits } from "@beatmarket/license-terms/limits.ts";
import type { TermsWithLimits } from "@beatmarket/license-terms/terms.ts";
import { type RawBuilder, sql } from "kysely";
import type { Locale } from "../../../../../contract/texts/locale.ts";
import { locales } from "../../../../../contract/texts/locales.ts";
import type { Queryable } from "../../../database/connect.ts";
import { licensesOf } from "../../beats/licensing/licenses.ts";
import type { SingleBeat } from "../../beats/production.ts";
import { isLossy } from "../../beats/publishing/attach-files.ts";
import { findTerms } from "../../licenses/terms.ts";
import { type FileKind, kindsOf } from "./fulfilment.ts";

export interface OfferParts {
  /** The version of the terms under which licenses are sold now. */
  termsVersion: string;
  /** The source whose beats get their recording after the first order. Null if there is no such source. */
  generatedSource: string | null;
}

/** A license of a beat, with the files and rights that it includes now. */
export interface OfferedLicense {
  type: LicenseType;
  price: number;
  available: boolean;
  files: FileKind[];
  /** The rights in English. All licenses of a beat have them in the same order, because a table compares them. */
  allows: { name: string; text: string }[];
  terms: TermsWithLimits;
}

/** Returns the licenses of a beat that its producer sells. The rights come from the terms. */
export async function offeredLicenses(
  db: Queryable,
  beat: SingleBeat,
  { termsVersion, generatedSource }: OfferParts,
): Promise<OfferedLicense[]> {
  const files = await offeredFiles(db, beat.id, generatedSource);
  return Promise.all(
    licensesOf(beat).map(async (license) => {
      const terms = await findTerms(db, termsVersion, license.type, beat.license_limits[license.type] ?? null);
      const kinds = files[license.type];
      return { ...license, files: kinds, allows: allowsOf(locales.en, license.type, kinds, terms.limits), terms };
    }),
  );
}

/** Returns the rights of a license in the reader's language. */
export function allowsOf(
  locale: Locale,
  type: LicenseType,
  files: readonly FileKind[],
  limits: Limits | null,
): OfferedLicense["allows"] {
  const text = (name: (typeof comparedClauses)[number]): string | null => {
    if (name === "files") return files.map((kind) => locale.t(`file.${kind}`)).join(", ");
    if (name === "exclusive") return locale.t(type === "exclusive" ? "licenses.yes" : "licenses.no");
    return limits === null ? null : textOf(locale, name, limits[name]);
  };
  return comparedClauses.flatMap((name) => {
    const content = text(name);
    return content === null ? [] : [{ name: locale.t(`clause.${name}`), text: content }];
  });
}

function textOf(locale: Locale, name: Clause, limit: number | null): string {
  if (name === "years")
    return limit === null ? locale.t("licenses.noEnd") : locale.t("licenses.years", { count: limit });
  if (limit === null) return locale.t("licenses.anyNumber");
  return limit === 0 ? locale.t("licenses.none") : locale.number(limit);
}

/**
 * Returns the files that each license of a beat would include now (docs/delivery.md, What a license brings). Beats of
 * `generatedSource` get a recording after the first order.
 */
export async function offeredFiles(
  db: Queryable,
  beatId: number,
  generatedSource: string | null,
): Promise<Record<LicenseType, FileKind[]>> {
  const { rows } = await sql<BeatFilesRow>`
    select ${beatFilesColumns(generatedSource)} from ${beatsWithMaster} where beats.id = ${beatId}`.execute(db);
  return offeredFilesOf(rows[0] ?? { has_master: false, is_lossy: false, has_stems: false });
}

export interface BeatFilesRow {
  has_master: boolean;
  is_lossy: boolean;
  has_stems: boolean;
}

/** The table of a statement with `beatFilesColumns`. */
export const beatsWithMaster = sql`beats left join beat_files master on master.beat_id = beats.id and master.name = 'master'`;

export const beatFilesColumns = (generatedSource: string | null): RawBuilder<unknown> => sql`
  beats.source = ${generatedSource} or master.name is not null as has_master,
  coalesce(${isLossy("master")}, false) as is_lossy,
  exists (select from beat_files where beat_id = beats.id and name = 'stems') as has_stems`;

export function offeredFilesOf(beat: BeatFilesRow): Record<LicenseType, FileKind[]> {
  const has = {
    mp3: beat.has_master,
    wav: beat.has_master && !beat.is_lossy,
    stems: beat.has_stems,
    license: true,
  };
  const filesOf = (type: LicenseType) => kindsOf[type].filter((kind) => has[kind]);
  return {
    basic: filesOf("basic"),
    premium: filesOf("premium"),
    unlimited: filesOf("unlimited"),
    exclusive: filesOf("exclusive"),
  };
}
