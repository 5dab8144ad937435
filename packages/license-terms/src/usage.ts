// The usage that a holder reports for a license (docs/clauses.md, Usage).

/** The counted uses. Each is also the name of its clause. */
export const countedUses = ["streams", "copies", "videos"] as const;
export type CountedUse = (typeof countedUses)[number];

export const isCountedUse = (name: string): name is CountedUse => (countedUses as readonly string[]).includes(name);

export interface UsageReport {
  use: CountedUse;
  /** The number of uses in the period. */
  quantity: number;
  /** A month: `2027-01`. */
  period: string;
  /** The source of the count, such as a distributor. */
  source: string;
}

/** The usage over all periods and sources. */
export interface UsageSum {
  use: CountedUse;
  used: number;
  /** The limit in the clause; null if the clause allows any number, and if the terms do not have the clause. */
  limit: number | null;
}

export interface LicenseUsage {
  licenseId: string;
  /** By use, period and source. */
  reports: UsageReport[];
  sums: UsageSum[];
}

/** The maximum number of reports of a license. */
export const maxReports = 5_000;
export const maxSourceLength = 100;
export const periodPattern = /^\d{4}-(0[1-9]|1[0-2])$/;
