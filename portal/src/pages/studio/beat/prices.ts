import type { PriceRule } from "../studio-queries.ts";

export const derivedLicenses = ["premium", "unlimited", "exclusive"] as const;
export type DerivedLicense = (typeof derivedLicenses)[number];

/**
 * The derived price of a license, in the main unit: a percentage of the basic price, rounded up to the next price with
 * the rule's cents. Only a basic price of 0 gives 0.
 */
export function derivedPrice(rule: PriceRule, license: DerivedLicense, basic: number): number {
  const exact = (Math.round(basic * 100) * rule[`${license}_percent`]) / 100;
  if (exact === 0) return 0;
  const cents = Math.max(Math.floor(exact), 1);
  return (cents + ((((rule.ending_cents - cents) % 100) + 100) % 100)) / 100;
}
