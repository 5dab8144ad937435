// What a holder reports as used of a license (docs/clauses.md, Usage).

/** The uses that are counted. Each is the name of its clause, too. */
export const countedUses = ["streams", "copies", "videos"] as const;
export type CountedUse = (typeof countedUses)[number];

export const isCountedUse = (name: string): name is CountedUse => (countedUses as readonly string[]).includes(name);

export interface UsageReport {
  use: CountedUse;
  /** In the period. */
  quantity: number;
  /** A month: `2027-01`. */
  period: string;
  /** Who counted, such as a distributor. */
  source: string;
}

/** Over all periods and sources. */
export interface UsageSum {
  use: CountedUse;
  used: number;
  /** The number of the clause; null for any number, and where the terms have no such clause. */
  limit: number | null;
}

export interface LicenseUsage {
  licenseId: string;
  /** By use, period and source. */
  reports: UsageReport[];
  sums: UsageSum[];
}

/** For each license. */
export const maxReports = 5_000;
export const maxSourceLength = 100;
export const periodPattern = /^\d{4}-(0[1-9]|1[0-2])$/;
