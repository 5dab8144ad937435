import { timestamp } from "@beatmarket/http/formats.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import type { Queryable } from "../../src/database/connect.ts";
import { findSaleLeaf } from "../../src/resources/licenses/log/leaves.ts";
import { findTerms } from "../../src/resources/licenses/terms.ts";

/** The data of a sold license, and the data with which its holder opens the leaf of the sale. */
interface Sale {
  index: number;
  beat: number;
  type: string;
  purchased_at: string;
  /** The name of the license's terms. */
  terms: string;
  /** The salt in base64. */
  salt: string;
  /** The text of the sale. The leaf has the hash of the salt and this text. */
  opening: string;
}

/** The sales of a log, in the form that callers/license_log_judge.go reads. */
export interface SoldLicenses {
  /** The texts by the names of terms. */
  texts: Record<string, string>;
  sales: Sale[];
  /** The number of orders without a leaf. */
  missing: number;
}

/** The sales of all completed orders. */
export async function soldLicenses(db: Queryable): Promise<SoldLicenses> {
  const sold: SoldLicenses = { texts: {}, sales: [], missing: 0 };
  const orders = await db
    .selectFrom("orders")
    .select(["id", "beat_id", "license_type", "terms_version", "license_limits", "created_at", "completed_at"])
    .$narrowType<{ license_limits: ChangedLimits | null }>()
    .where("status", "=", "completed")
    .orderBy("id")
    .execute();
  for (const { id, beat_id: beat, license_type: type, ...order } of orders) {
    const leaf = await findSaleLeaf(db, id);
    if (leaf === null) {
      sold.missing++;
      continue;
    }
    const terms = JSON.stringify([order.terms_version, type, order.license_limits]);
    sold.texts[terms] ??= (await findTerms(db, order.terms_version, type, order.license_limits)).text;
    sold.sales.push({
      index: leaf.index,
      beat: beat ?? 0,
      type,
      terms,
      opening: leaf.opening,
      purchased_at: timestamp(order.completed_at ?? order.created_at),
      salt: leaf.salt.toString("base64"),
    });
  }
  return sold;
}
