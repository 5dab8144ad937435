import { type Checkpoint, parseCheckpoint } from "@beatmarket/transparency-log/checkpoint.ts";
import { nodesOfTiles } from "@beatmarket/transparency-log/log-reader.ts";
import { inclusionProof } from "@beatmarket/transparency-log/tree.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findSaleLeaf, readStoredEntries, type SaleLeaf } from "./leaves.ts";
import type { LicenseLog } from "./license-log.ts";

/**
 * The proof that a sale is in the log, with the opening of its leaf (docs/license-log.md, Checking an exclusive). Bytes
 * are in base64.
 */
export interface SaleProof {
  origin: string;
  index: number;
  /** The size of the log at the checkpoint of the proof. */
  size: number;
  leaf: string;
  proof: string[];
  salt: string;
  opening: string;
}

/** The proof in a certificate. The signed checkpoint allows a check without a network. */
export type CertifiedProof = SaleProof & { checkpoint: string };

/**
 * The proof for a new certificate. Publishes the leaf of the sale if necessary. Null if the log cannot be written or
 * read at the moment, or if the sale has no leaf. The certificate is then issued without a proof; the license's public
 * page shows the proof later.
 */
export async function certifiedProof(db: Queryable, log: LicenseLog, orderId: number): Promise<CertifiedProof | null> {
  try {
    const published = await readCertified(db, log, orderId);
    if (published !== null) return published;
    await log.publish();
    return await readCertified(db, log, orderId);
  } catch {
    return null;
  }
}

async function readCertified(db: Queryable, log: LicenseLog, orderId: number): Promise<CertifiedProof | null> {
  const sale = await findSaleLeaf(db, orderId);
  const note = sale && (await log.files.read("checkpoint"))?.toString();
  const checkpoint = note == null ? null : parseCheckpoint(note);
  const proof = sale && checkpoint && (await proofAt(db, log, sale, checkpoint));
  return proof && note != null ? { ...proof, checkpoint: note } : null;
}

/**
 * The proof of a sale. Null if its leaf is not published yet, was lost or never existed, or if the files cannot be
 * read.
 */
export async function proofOfSale(db: Queryable, log: LicenseLog, orderId: number): Promise<SaleProof | null> {
  const sale = await findSaleLeaf(db, orderId);
  if (sale === null) return null;
  const checkpoint = await log.files.checkpoint().catch(() => null);
  return checkpoint && proofAt(db, log, sale, checkpoint);
}

async function proofAt(
  db: Queryable,
  { files }: LicenseLog,
  { index, salt, opening }: SaleLeaf,
  { origin, size }: Checkpoint,
): Promise<SaleProof | null> {
  if (size <= index) return null;
  const [[leaf], proof] = await Promise.all([
    readStoredEntries(db, index, 1),
    inclusionProof(index, size, nodesOfTiles(size, files.read)).catch(() => null),
  ]);
  if (leaf === undefined || proof === null) return null;
  return {
    origin,
    index,
    size,
    leaf: leaf.toString("base64"),
    proof: proof.map((each) => each.toString("base64")),
    salt: salt.toString("base64"),
    opening,
  };
}
