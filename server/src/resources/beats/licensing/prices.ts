import type { BeatDetail } from "../beat.ts";
import type { LicenseType, licensePriceColumns } from "./licenses.ts";

/** How a catalogue without prices, or with only one for each beat, gets the prices of the four licenses. Pure. */
export interface PriceRule {
  /** The basic license before anything is added. */
  baseCents: number;
  /** Added for each point of popularity (0-100). */
  perPopularityPointCents: number;
  /** Added for each minute, to the second. */
  perMinuteCents: number;
  /** Derived prices are raised to the next one that ends in these cents: 99 makes 29.99 of 29.34. */
  endingCents: number;
  /** The other licenses, in percent of the basic one. */
  premiumPercent: number;
  unlimitedPercent: number;
  exclusivePercent: number;
}

/** Integer cents, by the column of `beats`. */
export type LicensePrices = Pick<BeatDetail, (typeof licensePriceColumns)[LicenseType]>;

/** What the database can hold. */
export const maxPriceCents = 2_147_483_647;

/** The basic license's price of a beat that comes without one. */
export function derivedPriceCents(rule: PriceRule, beat: { popularity: number; durationSeconds: number }): number {
  const cents =
    rule.baseCents +
    rule.perPopularityPointCents * beat.popularity +
    Math.floor((rule.perMinuteCents * beat.durationSeconds) / 60);
  return withEnding(cents, rule.endingCents);
}

/** All four prices from the basic one, which stays as it is. Null when one of them is more than `maxPriceCents`. */
export function licensePrices(rule: PriceRule, priceCents: number): LicensePrices | null {
  const share = (percent: number): number => withEnding(Math.floor((priceCents * percent) / 100), rule.endingCents);
  const prices = {
    price_cents: priceCents,
    premium_price_cents: share(rule.premiumPercent),
    unlimited_price_cents: share(rule.unlimitedPercent),
    exclusive_price_cents: share(rule.exclusivePercent),
  };
  return Object.values(prices).every((cents) => cents <= maxPriceCents) ? prices : null;
}

/** The next price upwards with that ending; nothing stays free. */
function withEnding(cents: number, endingCents: number): number {
  if (cents === 0) return 0;
  return cents + ((((endingCents - cents) % 100) + 100) % 100);
}
