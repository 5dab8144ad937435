import { timestamp } from "@beatmarket/http/formats.ts";
import { licenseUrl } from "../certificate.ts";
import type { PublicLicense } from "../queries.ts";
import { termsSha256 } from "../terms/terms.ts";

/** The public page as JSON (docs/licenses.md, As JSON). */
export const licenseJson = ({ id, claims, terms, issuedAt, refundedAt }: PublicLicense, publicUrl: string) => ({
  status: "success",
  data: {
    license: {
      id,
      status: refundedAt === null ? "valid" : "refunded",
      type: claims.license_type,
      beat: claims.beat,
      producer: claims.producer,
      purchased_at: claims.purchased_at,
      issued_at: timestamp(issuedAt),
      refunded_at: refundedAt === null ? null : timestamp(refundedAt),
      files: claims.files,
      terms: { version: terms.version, title: terms.title, sha256: termsSha256(terms), text: terms.text },
      url: licenseUrl(publicUrl, id),
    },
  },
});
