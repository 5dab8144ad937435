import type { LicenseType } from "../../beats/licensing/licenses.ts";

/** A completed order, as its producer sees it: of the buyer no more than the name, which the license has too. */
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
  /** When they bought; of orders older than that column, the present one. */
  buyer_name: string;
  /** Null until the license is issued. */
  license_id: string | null;
  /** Files of the order that the buyer has downloaded. */
  downloads: number;
  completed_at: Date;
  /** Of the last refund; null without one. */
  refunded_at: Date | null;
}
