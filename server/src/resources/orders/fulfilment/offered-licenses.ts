import type { Queryable } from "../../../database/connect.ts";
import { type Clause, clauseKinds, comparedClauses } from "../../beats/licensing/clauses.ts";
import { type LicenseType, licensesOf } from "../../beats/licensing/licenses.ts";
import type { Limits } from "../../beats/licensing/limits.ts";
import type { SingleBeat } from "../../beats/production.ts";
import { findSingleBeats } from "../../beats/queries.ts";
import { findTerms, type TermsWithLimits } from "../../licenses/terms/terms.ts";
import type { FileKind } from "./fulfilment.ts";
import { offeredFiles } from "./offered-files.ts";

export interface OfferParts {
  /** The version of the terms under which licenses are sold now. */
  termsVersion: string;
  /** Beats of this source get their recording when somebody buys one. Null if there are none. */
  madeSource: string | null;
}

/** A license on sale, with the files and rights that it includes now. */
export interface OfferedLicense {
  type: LicenseType;
  price: number;
  available: boolean;
  files: FileKind[];
  /** The rights, in the same order for each license of a beat: a row of the table that compares them. */
  allows: { name: string; text: string }[];
  terms: TermsWithLimits;
}

/** The licenses of a beat that its producer sells. Their rights are read from their terms. */
export async function offeredLicenses(
  db: Queryable,
  beat: SingleBeat,
  { termsVersion, madeSource }: OfferParts,
): Promise<OfferedLicense[]> {
  const files = await offeredFiles(db, beat.id, madeSource);
  return Promise.all(
    licensesOf(beat).map(async (license) => {
      const terms = await findTerms(db, termsVersion, license.type, beat.license_limits[license.type] ?? null);
      const kinds = files[license.type];
      return { ...license, files: kinds, allows: allowsOf(license.type, kinds, terms.limits), terms };
    }),
  );
}

/** Empty for a beat that no longer exists. */
export async function offersNow(db: Queryable, beatId: number, parts: OfferParts): Promise<OfferedLicense[]> {
  const beat = (await findSingleBeats(db, [beatId])).get(beatId);
  return beat === undefined ? [] : offeredLicenses(db, beat, parts);
}

const fileLabels: Readonly<Record<FileKind, string>> = {
  mp3: "MP3",
  wav: "WAV",
  stems: "Stems",
  license: "Certificate",
};

function allowsOf(type: LicenseType, files: readonly FileKind[], limits: Limits | null): OfferedLicense["allows"] {
  const text = (name: (typeof comparedClauses)[number]): string | null => {
    if (name === "files") return files.map((kind) => fileLabels[kind]).join(", ");
    if (name === "exclusive") return type === "exclusive" ? "Yes" : "No";
    return limits === null ? null : textOf(name, limits[name]);
  };
  return comparedClauses.flatMap((name) => {
    const said = text(name);
    return said === null ? [] : [{ name: clauseKinds[name].label, text: said }];
  });
}

function textOf(name: Clause, limit: number | null): string {
  if (name === "years") return limit === null ? "No end" : limit === 1 ? "1 year" : `${limit} years`;
  if (limit === null) return "Any number";
  return limit === 0 ? "None" : limit.toLocaleString("en-US");
}
