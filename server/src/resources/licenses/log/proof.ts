import { nodesOfTiles } from "@beatmarket/transparency-log/log-reader.ts";
import { inclusionProof } from "@beatmarket/transparency-log/tree.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findSaleLeaf, readEntriesOf } from "./leaves.ts";
import type { LicenseLog } from "./license-log.ts";

/**
 * Proves that a sale is in the log, with the opening of its leaf (docs/license-log.md, Checking an exclusive). Bytes
 * are base64.
 */
export interface SaleProof {
  origin: string;
  index: number;
  /** The size of the log at the checkpoint that the proof leads to. */
  size: number;
  leaf: string;
  proof: string[];
  salt: string;
  opening: string;
}

/** Null: the sale is not published yet, is older than the log, or was lost; or the log's files cannot be read at the moment. */
export async function proofOfSale(db: Queryable, { files }: LicenseLog, orderId: number): Promise<SaleProof | null> {
  const sale = await findSaleLeaf(db, orderId);
  if (sale === null) return null;
  const checkpoint = await files.checkpoint().catch(() => null);
  if (checkpoint === null || checkpoint.size <= sale.index) return null;
  const { origin, size } = checkpoint;
  const [[leaf], proof] = await Promise.all([
    readEntriesOf(db, sale.index, 1),
    inclusionProof(sale.index, size, nodesOfTiles(size, files.read)).catch(() => null),
  ]);
  if (leaf === undefined || proof === null) return null;
  return {
    ...{ origin, index: sale.index, size, leaf: leaf.toString("base64") },
    ...{
      proof: proof.map((each) => each.toString("base64")),
      salt: sale.salt.toString("base64"),
      opening: sale.opening,
    },
  };
}
