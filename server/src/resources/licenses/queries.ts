import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import type { LicenseType } from "../beats/licensing/licenses.ts";
import type { ChangedLimits } from "../beats/licensing/limits.ts";
import { readClaims } from "./signing/jws.ts";
import { findTerms, type TermsWithLimits } from "./terms/terms.ts";

/** What a certificate says in its JWS. Never who bought. */
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
  files: { kind: string; filename: string; sha256: string; bytes: number }[];
}

/** A license as anyone may see it who knows its id: neither who bought it nor what it cost. */
export interface PublicLicense {
  id: string;
  claims: CertificateClaims;
  terms: TermsWithLimits;
  issuedAt: Date;
  /** When the order was refunded in full; null while the license is valid. */
  refundedAt: Date | null;
}

/** Null for an id that no license has. */
export async function findPublicLicense(db: Queryable, id: string): Promise<PublicLicense | null> {
  if (!/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)) return null;
  const row = await db
    .selectFrom("licenses")
    .innerJoin("orders", "orders.id", "licenses.order_id")
    .select(["licenses.id", "licenses.jws", "licenses.issued_at", "orders.license_limits"])
    .$narrowType<{ license_limits: ChangedLimits | null }>()
    .select(sql<Date | null>`case when refunded_cents = amount_cents then refunded_at end`.as("refunded_at"))
    .where("licenses.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const claims = readClaims(row.jws) as CertificateClaims;
  const terms = await findTerms(db, claims.terms.version, claims.license_type, row.license_limits);
  return { id: row.id, claims, terms, issuedAt: row.issued_at, refundedAt: row.refunded_at };
}
