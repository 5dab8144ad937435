import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import type { StatusEntry } from "@beatmarket/license-terms/status-entry.ts";
import type { TermsWithLimits } from "@beatmarket/license-terms/terms.ts";
import { readClaims } from "@beatmarket/signing-keys/jws.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { CertifiedProof } from "./log/proof.ts";
import { findTerms } from "./terms.ts";

/** The `typ` of a certificate's JWS. */
export const certificateType = "license+jwt";

/** The claims of a certificate's JWS. They never name the buyer. */
export interface CertificateClaims {
  /** The PUBLIC_URL at the time of issue. */
  iss: string;
  /** Seconds since 1970. */
  iat: number;
  /** The id of the license. */
  jti: string;
  license_type: LicenseType;
  /** `sha256` is the hash of the text with the limits of the order. */
  terms: { version: string; sha256: string };
  order_id: number;
  /** ISO 8601 in UTC. */
  purchased_at: string;
  beat: { id: number; title: string };
  producer: { id: number; name: string };
  /** The id of the license that this license replaces. Absent if it replaces none. */
  replaces?: string;
  files: { kind: string; filename: string; sha256: string; bytes: number }[];
  /** The status list that has the status of this license. Absent in certificates that are older than these lists. */
  credentialStatus?: StatusEntry;
  /** The proof that the sale is in the license log. Absent if there was none at the time of issue. */
  log?: CertifiedProof;
}

/** A license without its price. Everyone who knows the id may read all fields except `holderId`. */
export interface PublicLicense {
  id: string;
  /** The account that bought the license. It is never shown to others. */
  holderId: number;
  claims: CertificateClaims;
  terms: TermsWithLimits;
  issuedAt: Date;
  /** When the order was refunded in full. Null if it was not. */
  refundedAt: Date | null;
  /** The index in the status lists. */
  statusIndex: number;
  /** The id of the license that this license replaced. Null if it replaced none. */
  replaces: string | null;
  /**
   * The completed order that replaced this license. Null if no order did, or if that order was refunded in full.
   * `licenseId` is null until that order's license is issued.
   */
  replaced: { at: Date; licenseId: string | null } | null;
}

interface LicenseRow {
  id: string;
  jws: string;
  issued_at: Date;
  status_index: number;
  license_limits: ChangedLimits | null;
  user_id: number;
  upgrades_license: string | null;
  refunded_at: Date | null;
  /** When the last order that replaced this license was completed. Null if none did, or if it was refunded in full. */
  replaced_at: Date | null;
  /** The license of that order. Null until it is issued. */
  replaced_by: string | null;
}

export const isLicenseId = (text: string): boolean => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);

/** Returns null for an unknown id. */
export async function findPublicLicense(db: Queryable, id: string): Promise<PublicLicense | null> {
  if (!isLicenseId(id)) return null;
  const { rows } = await sql<LicenseRow>`
    select licenses.id, jws, issued_at, status_index, license_limits, user_id, upgrades_license,
      case when is_full_refund(refunded_at, refunded_cents, amount_cents) then refunded_at end as refunded_at, replaced_at, replaced_by
    from licenses join orders on orders.id = order_id
    left join lateral (
      select coalesce(later.completed_at, later.created_at) as replaced_at, issued.id as replaced_by
      from orders later left join licenses issued on issued.order_id = later.id
      where later.upgrades_license = licenses.id and later.status = 'completed'
        and not is_full_refund(later.refunded_at, later.refunded_cents, later.amount_cents)
      order by later.id desc limit 1) as replacing on true
    where licenses.id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const claims = readClaims(row.jws) as CertificateClaims;
  const terms = await findTerms(db, claims.terms.version, claims.license_type, row.license_limits);
  return {
    id: row.id,
    holderId: row.user_id,
    claims,
    terms,
    issuedAt: row.issued_at,
    refundedAt: row.refunded_at,
    statusIndex: row.status_index,
    replaces: row.upgrades_license,
    replaced: row.replaced_at && { at: row.replaced_at, licenseId: row.replaced_by },
  };
}
