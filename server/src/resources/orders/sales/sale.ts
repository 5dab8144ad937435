import type { LicenseType } from "../../beats/licensing/licenses.ts";

/** A completed order, as its producer sees it. Of the buyer it shows only the name, which is also on the license. */
export interface Sale {
  /** The order's. */
  id: number;
  beat_id: number;
  /** The beat's title when it was bought. */
  title: string;
  license_type: LicenseType;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  /** The buyer's name at the time of purchase; for orders older than that column, the present one. */
  buyer_name: string;
  /** Null until the license is issued. */
  license_id: string | null;
  /** The number of the order's files that the buyer has downloaded. */
  downloads: number;
  completed_at: Date;
  /** The time of the last refund; null without one. */
  refunded_at: Date | null;
}
