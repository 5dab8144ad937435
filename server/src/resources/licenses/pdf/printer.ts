import type { CertificateFacts } from "../certificate.ts";
import type { SoldTerms } from "../terms/terms.ts";

/** What is printed. */
export interface Certificate extends CertificateFacts {
  /** The license's id. */
  id: string;
  /** The public page, which the QR code leads to. */
  url: string;
  terms: SoldTerms;
}

/** Prints certificates as PDF/A. */
export interface CertificatePrinter {
  /** Throws an ApiError 503 when it cannot be printed at the moment. */
  print(certificate: Certificate): Promise<Uint8Array>;
}
