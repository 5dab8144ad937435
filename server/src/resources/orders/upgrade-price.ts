// What an upgrade or renewal costs (docs/clauses.md, Upgrades). Pure.

/** How a license counts in the price of the one that replaces it. */
export interface UpgradeCredit {
  /** What was paid for the license and those before it. */
  paidCents: number;
  /** The price of the day of purchase, if the terms keep it; null if today's price counts. */
  keptCents: number | null;
}

export const noCredit: UpgradeCredit = { paidCents: 0, keptCents: null };

/** The amount at today's price. A price that has fallen since the purchase counts even if the terms keep the old one. */
export const dueCents = (todayCents: number, { paidCents, keptCents }: UpgradeCredit): number =>
  Math.max(0, Math.min(todayCents, keptCents ?? todayCents) - paidCents);
