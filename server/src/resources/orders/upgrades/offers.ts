import { ApiError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { isAvailable } from "../../beats/licensing/exclusive.ts";
import { isPaid, type LicenseType, licensePriceColumns, licenseTypes } from "../../beats/licensing/licenses.ts";
import { creditOf, type Replaced } from "../upgrade.ts";
import { dueCents } from "../upgrade-price.ts";

/** A license that its holder can have in the place of the present one. */
export interface UpgradeOffer {
  licenseType: LicenseType;
  isRenewal: boolean;
  /** Today's price of the license. */
  priceCents: number;
  /** What the holder pays. */
  amountCents: number;
}

export interface UpgradeOffers {
  /** Lowest license first. */
  offers: UpgradeOffer[];
  /** Why there is none; null where there is one. */
  reason: string | null;
}

/** What the license can be upgraded or renewed to today, and for how much. */
export async function findUpgrades(
  db: Queryable,
  license: Replaced,
  { currency, now }: { currency: string; now: Date },
): Promise<UpgradeOffers> {
  const { beat, license_type: from } = license.claims;
  const prices = await pricesOf(db, beat.id, now);
  const offers: UpgradeOffer[] = [];
  let reason: string | null = null;
  for (const licenseType of licenseTypes.slice(licenseTypes.indexOf(from))) {
    const priceCents = prices.get(licenseType);
    if (priceCents === undefined) continue;
    try {
      const credit = await creditOf(db, license, { to: licenseType, currency, now, lock: false });
      const amountCents = dueCents(priceCents, credit);
      offers.push({ licenseType, isRenewal: licenseType === from, priceCents, amountCents });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reason = error.details;
    }
  }
  if (offers.length > 0) return { offers, reason: null };
  return { offers, reason: reason ?? "No higher license of this beat is for sale today." };
}

/** The prices of the licenses that can be bought. */
async function pricesOf(db: Queryable, beatId: number, now: Date): Promise<ReadonlyMap<LicenseType, number>> {
  const { rows } = await sql<Record<string, number> & { unsold_licenses: string[] }>`
    select price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents, unsold_licenses
    from beats where id = ${beatId} and ${isAvailable(now)}`.execute(db);
  const [beat] = rows;
  if (beat === undefined) return new Map();
  return new Map(
    licenseTypes.flatMap((type) => {
      const price = beat[licensePriceColumns[type]] ?? 0;
      const isSold = !beat.unsold_licenses.includes(type) && price >= (isPaid(type) ? 1 : 0);
      return isSold ? [[type, price] as const] : [];
    }),
  );
}
