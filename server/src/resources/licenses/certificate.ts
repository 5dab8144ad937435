import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import { statusEntry } from "@beatmarket/license-terms/status-entry.ts";
import { type SoldTerms, type Terms, termsSha256 } from "@beatmarket/license-terms/terms.ts";
import { readClaims } from "@beatmarket/signing-keys/jws.ts";
import type { SigningKeys } from "@beatmarket/signing-keys/keys.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { sql } from "kysely";
import { randomUuid } from "../../access/random-source.ts";
import type { Queryable } from "../../database/connect.ts";
import type { CertifiedProof } from "./log/proof.ts";
import { type CertificateClaims, certificateType } from "./queries.ts";
import { findTerms } from "./terms.ts";

/** The purchase as the order froze it. */
export interface CertificateFacts {
  orderId: number;
  beatId: number;
  beatTitle: string;
  producerId: number;
  producerName: string;
  buyerName: string;
  licenseType: LicenseType;
  /** Null for an order from before terms had versions: the first version applies. */
  termsVersion: string | null;
  /** The producer's limits at the time of the order; null for the limits of the terms. */
  changedLimits: ChangedLimits | null;
  purchasedAt: Date;
  /** The license that this license replaces; absent or null if it replaces no license. */
  replaces?: string | null;
  files: readonly LicensedFile[];
}

export interface LicensedFile {
  /** `mp3`, `wav` or `stems`. */
  kind: string;
  filename: string;
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/** An issued license. */
export interface License {
  /** The UUID in the license's URL (`licenseUrl`). */
  id: string;
  jws: string;
  /** The stored PDF. */
  pdf: { sha256: string; bytes: number };
  licenseType: LicenseType;
  termsVersion: string;
  issuedAt: Date;
}

/** The facts that the certificate prints. */
export interface Certificate extends CertificateFacts {
  /** The id of the license. */
  id: string;
  /** The public page, to which the QR code leads. */
  url: string;
  jws: string;
  terms: SoldTerms;
  /** The proof that the sale is in the license log; null if there is none at the moment. */
  log: CertifiedProof | null;
}

/** The dependencies of issuing licenses. */
export interface LicenseParts {
  clock: Clock;
  publicUrl: string;
  /** The current terms of new orders. */
  terms: Terms;
  keys: SigningKeys;
  /** Throws an ApiError 503 if the certificate cannot be printed at the moment. */
  printer: { print(certificate: Certificate): Promise<Uint8Array> };
  /** The proof that the sale of an order is in the license log; null if there is none at the moment. */
  proofOf(db: Queryable, orderId: number): Promise<CertifiedProof | null>;
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
  /** The licenses that this process is issuing, by order: concurrent requests share a promise. */
  issuing: Map<number, Promise<License>>;
}

/** The version of the terms of a new order. */
export const currentTermsVersion = ({ terms }: Pick<LicenseParts, "terms">): string => terms.version;

/** The public page of a license. */
export const licenseUrl = (publicUrl: string, id: string): string => `${publicUrl}/licenses/${id}`;

/**
 * Returns the license of an order, or signs, prints and stores one. A license that was issued before is returned even
 * if the facts have changed. Throws an ApiError 503 if the certificate cannot be printed at the moment; nothing is
 * stored then. Must not be called in a transaction: it takes long, and the storage has its own connections.
 */
export async function issueLicense(db: Queryable, parts: LicenseParts, facts: CertificateFacts): Promise<License> {
  const license = await findLicense(db, facts.orderId);
  if (license !== null) return license;
  const { issuing } = parts;
  const issue =
    issuing.get(facts.orderId) ?? issueNewLicense(db, parts, facts).finally(() => issuing.delete(facts.orderId));
  issuing.set(facts.orderId, issue);
  return issue;
}

async function issueNewLicense(db: Queryable, parts: LicenseParts, facts: CertificateFacts): Promise<License> {
  const { clock, keys, objects, printer, proofOf, publicUrl, scratch } = parts;
  const id = randomUuid();
  const issuedAt = new Date(clock.nowMs());
  const terms = await findTerms(db, facts.termsVersion, facts.licenseType, facts.changedLimits);
  const statusIndex = await nextStatusIndex(db);
  const log = await proofOf(db, facts.orderId);
  const claims = claimsOf(facts, { id, issuedAt, terms, publicUrl, statusIndex, log });
  const jws = await keys.sign(claims, certificateType, issuedAt);
  const pdf = await printer.print({ ...facts, id, jws, url: licenseUrl(publicUrl, id), terms, log });
  // The storage keeps an unreferenced object for an hour. The row below refers to this object before that.
  const { sha256, bytes } = await scratch.use(async (folder) => {
    const file = join(folder, "license.pdf");
    await writeFile(file, pdf);
    return objects.store(file);
  });
  await db
    .insertInto("licenses")
    .values({
      id,
      order_id: facts.orderId,
      jws,
      pdf_sha256: sha256,
      pdf_bytes: bytes,
      issued_at: issuedAt,
      status_index: statusIndex,
    })
    .onConflict((conflict) => conflict.column("order_id").doNothing())
    .execute();
  return (await findLicense(db, facts.orderId)) as License;
}

/** Takes the next index of the sequence. The index stays unused if the license is not issued. */
async function nextStatusIndex(db: Queryable): Promise<number> {
  const { rows } = await sql<{ index: number }>`select nextval('license_status_index') as index`.execute(db);
  return rows[0]?.index ?? 0;
}

/** The license of an order; null before it is issued. */
export async function findLicense(db: Queryable, orderId: number): Promise<License | null> {
  const row = await db.selectFrom("licenses").selectAll().where("order_id", "=", orderId).executeTakeFirst();
  if (row === undefined) return null;
  const claims = readClaims(row.jws) as CertificateClaims;
  return {
    id: row.id,
    jws: row.jws,
    pdf: { sha256: row.pdf_sha256, bytes: row.pdf_bytes },
    licenseType: claims.license_type,
    termsVersion: claims.terms.version,
    issuedAt: row.issued_at,
  };
}

function claimsOf(
  facts: CertificateFacts,
  issue: {
    id: string;
    issuedAt: Date;
    terms: SoldTerms;
    publicUrl: string;
    statusIndex: number;
    log: CertifiedProof | null;
  },
): CertificateClaims {
  return {
    iss: issue.publicUrl,
    iat: Math.floor(issue.issuedAt.getTime() / 1000),
    jti: issue.id,
    license_type: facts.licenseType,
    terms: { version: issue.terms.version, sha256: termsSha256(issue.terms) },
    order_id: facts.orderId,
    purchased_at: timestamp(facts.purchasedAt),
    beat: { id: facts.beatId, title: facts.beatTitle },
    producer: { id: facts.producerId, name: facts.producerName },
    ...(facts.replaces != null && { replaces: facts.replaces }),
    files: facts.files.map(({ kind, filename, sha256, bytes }) => ({ kind, filename, sha256, bytes })),
    credentialStatus: statusEntry(issue.statusIndex, issue.publicUrl),
    ...(issue.log !== null && { log: issue.log }),
  };
}

const printable = {
  module: new URL("./pdf/certificate-document.ts", import.meta.url),
  name: "license's certificate",
};

/** Prints certificates as PDF/A-2a. */
export const certificatePrinter = (printer: Pick<DocumentPrinter, "print">): LicenseParts["printer"] => ({
  print: (certificate) => printer.print(printable, certificate),
});
