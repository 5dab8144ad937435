import { money } from "@beatmarket/http/formats.ts";
import { type LicenseType, licenseTypes, soldTypes } from "@beatmarket/license-terms/license-types.ts";
import type { BeatDetail } from "../beat.ts";

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
 * The licenses that the producer sells, with their prices. No license is available if the beat is not listed, while the
 * exclusive license is held, or after it was sold. An unlimited or exclusive license with the price 0 is not available.
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

// Derives the prices of the four licenses for a catalogue with no price, or one price, for each beat. Pure.

export interface PriceRule {
  /** The price of the basic license before anything is added. */
  baseCents: number;
  /** Cents added for each point of popularity (0-100). */
  perPopularityPointCents: number;
  /** Cents added for each minute, in proportion to the seconds. */
  perMinuteCents: number;
  /** Rounds derived prices up to the next price with these cents: with 99, 29.34 becomes 29.99. */
  endingCents: number;
  /** The prices of the other licenses, in percent of the basic license. */
  premiumPercent: number;
  unlimitedPercent: number;
  exclusivePercent: number;
}

/** The default rule: a basic price of 19.99 to 49.99 by popularity, and the percentages of the other licenses. */
export const usualPrices: PriceRule = {
  baseCents: 1999,
  perPopularityPointCents: 30,
  perMinuteCents: 0,
  endingCents: 99,
  premiumPercent: 200,
  unlimitedPercent: 500,
  exclusivePercent: 2000,
};

/** Integer cents, by the column of `beats`. */
export type LicensePrices = Pick<BeatDetail, (typeof licensePriceColumns)[LicenseType]>;

/** The largest value of the price columns. */
export const maxPriceCents = 2_147_483_647;

/** The price of the basic license, in cents, of a beat for which the catalogue has no price. */
export function derivedPriceCents(rule: PriceRule, beat: { popularity: number; durationSeconds: number }): number {
  const cents =
    rule.baseCents +
    rule.perPopularityPointCents * beat.popularity +
    Math.floor((rule.perMinuteCents * beat.durationSeconds) / 60);
  return withEnding(cents, rule.endingCents);
}

/**
 * Derives the four prices; the basic price stays unchanged. A price is 0 only if the basic price or the percentage is
 * 0. Null if a price exceeds `maxPriceCents`.
 */
export function licensePrices(rule: PriceRule, priceCents: number): LicensePrices | null {
  const share = (percent: number): number =>
    withEnding(Math.max(Math.floor((priceCents * percent) / 100), Math.sign(priceCents * percent)), rule.endingCents);
  const prices = {
    price_cents: priceCents,
    premium_price_cents: share(rule.premiumPercent),
    unlimited_price_cents: share(rule.unlimitedPercent),
    exclusive_price_cents: share(rule.exclusivePercent),
  };
  return Object.values(prices).every((cents) => cents <= maxPriceCents) ? prices : null;
}

/** Rounds up to the next price with that ending; 0 stays 0. */
function withEnding(cents: number, endingCents: number): number {
  if (cents === 0) return 0;
  return cents + ((((endingCents - cents) % 100) + 100) % 100);
}

/** The first license that has the price 0 and may not be free; undefined if there is none. */
export const freeLicense = (prices: LicensePrices): LicenseType | undefined =>
  licenseTypes.find((type) => isPaid(type) && prices[licensePriceColumns[type]] === 0);
