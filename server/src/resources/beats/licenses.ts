import { money } from "../../http/formats.ts";
import type { BeatDetail } from "./beat.ts";

export const licenseTypes = ["basic", "premium", "unlimited", "exclusive"] as const;
export type LicenseType = (typeof licenseTypes)[number];

/** The licences of a beat with their prices; none is available once the exclusive one is sold. */
export const licensesOf = (beat: BeatDetail) =>
  licenseTypes.map((type) => ({ type, price: money(licensePriceCents(beat, type)), available: beat.is_listed }));

function licensePriceCents(beat: BeatDetail, type: LicenseType): number {
  switch (type) {
    case "basic":
      return beat.price_cents;
    case "premium":
      return beat.premium_price_cents;
    case "unlimited":
      return beat.unlimited_price_cents;
    case "exclusive":
      return beat.exclusive_price_cents;
  }
}
