import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { LicenseType } from "../beats/licensing/licenses.ts";
import type { ChangedLimits } from "../beats/licensing/limits.ts";
import type { CertifiedProof } from "./log/proof.ts";
import { readClaims } from "./signing/jws.ts";
import type { StatusEntry } from "./status/entry.ts";
import { findTerms, type TermsWithLimits } from "./terms/terms.ts";

/** The claims of a certificate's JWS. They never name the buyer. */
export interface CertificateClaims {
  /** PUBLIC_URL when it was issued. */
  iss: string;
  /** Seconds since 1970. */
  iat: number;
  /** The license's id. */
  jti: string;
  license_type: LicenseType;
  /** `sha256` is that of the stored text. */
  terms: { version: string; sha256: string };
  order_id: number;
  /** ISO 8601 in UTC. */
  purchased_at: string;
  beat: { id: number; title: string };
  producer: { id: number; name: string };
  /** The id of the license that this one replaces; absent for none. */
  replaces?: string;
  files: { kind: string; filename: string; sha256: string; bytes: number }[];
  /** The list with its status; absent in certificates from before these lists. */
  credentialStatus?: StatusEntry;
  /** The proof that the sale is in the license log; absent if it could not be read when the certificate was issued. */
  log?: CertifiedProof;
}

/** The public view of a license, for everyone who knows its id: without buyer and price. */
export interface PublicLicense {
  id: string;
  /** The account that bought it. Never shown to others. */
  holderId: number;
  claims: CertificateClaims;
  terms: TermsWithLimits;
  issuedAt: Date;
  /** When the order was refunded in full; null while the license is valid. */
  refundedAt: Date | null;
  /** The index in the status lists. */
  statusIndex: number;
  /** The license that this one replaced; null for none. */
  replaces: string | null;
  /** The completed order that replaced it, and its license once that is issued; null without one. */
  replaced: { at: Date; licenseId: string | null } | null;
}

/** Null for an unknown id. */
export async function findPublicLicense(db: Queryable, id: string): Promise<PublicLicense | null> {
  if (!/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)) return null;
  const row = await db
    .selectFrom("licenses")
    .innerJoin("orders", "orders.id", "licenses.order_id")
    .select([
      "licenses.id",
      "licenses.jws",
      "licenses.issued_at",
      "licenses.status_index",
      "orders.license_limits",
      "orders.user_id",
      "orders.upgrades_license",
    ])
    .$narrowType<{ license_limits: ChangedLimits | null }>()
    .select(sql<Date | null>`case when refunded_cents = amount_cents then refunded_at end`.as("refunded_at"))
    .where("licenses.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const claims = readClaims(row.jws) as CertificateClaims;
  const replaced = await findReplacing(db, row.id);
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
    replaced,
  };
}

/** The completed order that replaced a license and was not refunded, and its license once that is issued. */
async function findReplacing(db: Queryable, licenseId: string): Promise<PublicLicense["replaced"]> {
  const { rows } = await sql<{ at: Date; license_id: string | null }>`
    select coalesce(completed_at, created_at) as at, licenses.id as license_id
    from orders left join licenses on licenses.order_id = orders.id
    where upgrades_license = ${licenseId} and status = 'completed'
      and not is_full_refund(refunded_at, refunded_cents, amount_cents)
    order by orders.id desc limit 1`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { at: row.at, licenseId: row.license_id };
}
