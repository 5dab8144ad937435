import type { LicenseType } from "../beats/licensing/licenses.ts";

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
