import { money } from "../../../http/formats.ts";
import type { BeatDetail } from "../beat.ts";

export const licenseTypes = ["basic", "premium", "unlimited", "exclusive"] as const;
export type LicenseType = (typeof licenseTypes)[number];

/** Where a beat's row has the price of each license, in cents. */
export const licensePriceColumns = {
  basic: "price_cents",
  premium: "premium_price_cents",
  unlimited: "unlimited_price_cents",
  exclusive: "exclusive_price_cents",
} as const satisfies Record<LicenseType, keyof BeatDetail>;

/** The licenses of a beat with their prices; none is available while the exclusive one is held, and once it is sold. */
export const licensesOf = (beat: BeatDetail) =>
  licenseTypes.map((type) => ({
    type,
    price: money(beat[licensePriceColumns[type]]),
    available: beat.is_listed && beat.exclusive_state === "available",
  }));
