import { money } from "@beatmarket/http/formats.ts";
import { type LicenseType, soldTypes } from "@beatmarket/license-terms/license-types.ts";

/** The column of each license's price, in cents. */
export const licensePriceColumns = {
  basic: "price_cents",
  premium: "premium_price_cents",
  unlimited: "unlimited_price_cents",
  exclusive: "exclusive_price_cents",
} as const satisfies Record<LicenseType, string>;

/** The bits of the database's function available_licenses(). */
export const licenseBits: Readonly<Record<LicenseType, number>> = { basic: 1, premium: 2, unlimited: 4, exclusive: 8 };

/** Whether the license grants so much that it is never free (docs/api/beats.md, Create a beat). */
export const isPaid = (type: LicenseType): boolean => type === "unlimited" || type === "exclusive";

/** The columns from which a beat's licenses are derived. */
type LicensedBeat = Record<(typeof licensePriceColumns)[LicenseType], number> & {
  is_listed: boolean;
  exclusive_state: string;
  unsold_licenses: readonly string[];
};

/**
 * The licenses that the producer sells, with their prices. None is available while the exclusive license is held or
 * after it was sold.
 */
export const licensesOf = (beat: LicensedBeat) =>
  soldTypes(beat).map((type) => ({
    type,
    price: money(beat[licensePriceColumns[type]]),
    available:
      beat.is_listed &&
      beat.exclusive_state === "available" &&
      !(isPaid(type) && beat[licensePriceColumns[type]] === 0),
  }));
