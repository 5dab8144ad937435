import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../database/connect.ts";
import type { LicenseType } from "../beats/licensing/licenses.ts";
import type { ChangedLimits } from "../beats/licensing/limits.ts";
import type { ScratchFolders } from "../jobs/scratch-folders.ts";
import type { CertificateClaims } from "./queries.ts";
import { readClaims } from "./signing/jws.ts";
import type { SigningKeys } from "./signing/keys.ts";
import { findTerms, type SoldTerms, type Terms, termsSha256 } from "./terms/terms.ts";

/** What was bought, as the order froze it. */
export interface CertificateFacts {
  orderId: number;
  beatId: number;
  beatTitle: string;
  producerId: number;
  producerName: string;
  buyerName: string;
  licenseType: LicenseType;
  /** Null: an order from before terms had versions, which is under the first one. */
  termsVersion: string | null;
  /** The limits that the producer had changed; null for those of the terms. */
  changedLimits: ChangedLimits | null;
  purchasedAt: Date;
  /** The license that it replaces; absent or null for none. */
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

/** A license that was issued. */
export interface License {
  /** A UUID: what `licenseUrl` takes. */
  id: string;
  jws: string;
  /** In the storage. */
  pdf: { sha256: string; bytes: number };
  licenseType: LicenseType;
  termsVersion: string;
  issuedAt: Date;
}

/** What is printed. */
export interface Certificate extends CertificateFacts {
  /** The license's id. */
  id: string;
  /** The public page, which the QR code leads to. */
  url: string;
  jws: string;
  terms: SoldTerms;
}

/** What licenses are issued with. */
export interface LicenseParts {
  clock: Clock;
  publicUrl: string;
  /** Those that orders are sold under now. */
  terms: Terms;
  keys: SigningKeys;
  /** Throws an ApiError 503 when it cannot print at the moment. */
  printer: { print(certificate: Certificate): Promise<Uint8Array> };
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
  /** Orders whose license is being issued in this process: concurrent requests share one. */
  issuing: Map<number, Promise<License>>;
}

/** What a new order is sold under. */
export const currentTermsVersion = ({ terms }: Pick<LicenseParts, "terms">): string => terms.version;

/** The public page of a license. */
export const licenseUrl = (publicUrl: string, id: string): string => `${publicUrl}/licenses/${id}`;

/**
 * The license of an order: the one issued first, whatever the facts are now. Without one it is signed, printed and stored.
 * Throws an ApiError 503 when no certificate can be printed at the moment; nothing is half-made then. Not for use in a
 * transaction: it takes a while, and the storage has connections of its own.
 */
export async function issueLicense(db: Queryable, parts: LicenseParts, facts: CertificateFacts): Promise<License> {
  const known = await findLicense(db, facts.orderId);
  if (known !== null) return known;
  const { issuing } = parts;
  const issue = issuing.get(facts.orderId) ?? issueNew(db, parts, facts).finally(() => issuing.delete(facts.orderId));
  issuing.set(facts.orderId, issue);
  return issue;
}

async function issueNew(db: Queryable, parts: LicenseParts, facts: CertificateFacts): Promise<License> {
  const { clock, keys, objects, printer, publicUrl, scratch } = parts;
  const id = randomUUID();
  const issuedAt = new Date(clock.nowMs());
  const terms = await findTerms(db, facts.termsVersion, facts.licenseType, facts.changedLimits);
  const jws = await keys.sign(claimsOf(facts, { id, issuedAt, terms, publicUrl }), issuedAt);
  const pdf = await printer.print({ ...facts, id, jws, url: licenseUrl(publicUrl, id), terms });
  // The row refers to the object within the hour that one without a reference is kept.
  const { sha256, bytes } = await scratch.use(async (folder) => {
    const file = join(folder, "license.pdf");
    await writeFile(file, pdf);
    return objects.store(file);
  });
  await db
    .insertInto("licenses")
    .values({ id, order_id: facts.orderId, jws, pdf_sha256: sha256, pdf_bytes: bytes, issued_at: issuedAt })
    .onConflict((conflict) => conflict.column("order_id").doNothing())
    .execute();
  return (await findLicense(db, facts.orderId)) as License;
}

/** Null: none was issued yet. */
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
  issue: { id: string; issuedAt: Date; terms: SoldTerms; publicUrl: string },
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
  };
}
