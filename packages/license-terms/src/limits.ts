import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import { type Clause, clauseKinds, clauses } from "./clauses.ts";
import { type LicenseType, licenseTypes, soldTypes } from "./license-types.ts";

// The limits of a work's licenses as numbers: the limits in the terms, and a licensor's changes to them. Pure.

/** Null means unlimited. */
export type Limits = Record<Clause, number | null>;

/**
 * The limit of a clause in the terms, and the range in which a licensor may change the limit. If both ends are equal,
 * the limit is fixed.
 */
export interface ClauseBounds {
  standard: number | null;
  lowest: number | null;
  highest: number | null;
}
export type TypeBounds = Record<Clause, ClauseBounds>;
export type LicenseBounds = Record<LicenseType, TypeBounds>;

/** A licensor's changes. Clauses that are not named have the limit of the terms. */
export type ChangedLimits = Partial<Limits>;
export type LicenseLimits = Partial<Record<LicenseType, ChangedLimits>>;

export const highestLimit = 1_000_000_000;

/** The order of numbers, with null as the highest. */
const compare = (one: number | null, other: number | null): number =>
  Math.sign((one ?? highestLimit + 1) - (other ?? highestLimit + 1));

/** The limits of a license: the licensor's changes, clamped to the range that the terms allow. */
export function limitsOf(bounds: TypeBounds, changedLimits: ChangedLimits = {}): Limits {
  const within = (name: Clause): number | null => {
    const { standard, lowest, highest } = bounds[name];
    const value = changedLimits[name] === undefined ? standard : changedLimits[name];
    if (compare(value, lowest) < 0) return lowest;
    return compare(value, highest) > 0 ? highest : value;
  };
  return Object.fromEntries(clauses.map((name) => [name, within(name)])) as Limits;
}

/** `100,000`, or `any number of` for null. */
const limitText = (limit: number | null): string => (limit === null ? "any number of" : thousands(limit));

interface LimitProblem {
  type: LicenseType;
  /** `limits.streams`, or `limits`. */
  field: string;
  /** The rest of a sentence that begins with the field's name. */
  problem: string;
}

interface SoldLicenses {
  unsold_licenses: readonly string[];
  license_limits: LicenseLimits;
}

/**
 * Throws 400 naming the field if a limit is outside its range. For each license on sale, also throws if one of its
 * limits is below that of the next lower type on sale, or if all limits are equal. The exclusive license may have equal
 * limits. `bounds` is null if the terms have no limits; then every limit of the licensor is refused.
 */
export function requireLimits(bounds: LicenseBounds | null, licenses: SoldLicenses): void {
  const problem = findLimitProblem(bounds, licenses);
  if (problem === undefined) return;
  const field = `license_settings.${problem.type}.${problem.field}`;
  throw invalidRequest(`The ${field} field ${problem.problem}.`, field);
}

export function findLimitProblem(bounds: LicenseBounds | null, licenses: SoldLicenses): LimitProblem | undefined {
  if (bounds !== null) return findLimitOutOfRange(bounds, licenses) ?? findLimitBelowLower(bounds, licenses);
  const type = licenseTypes.find((each) => Object.keys(licenses.license_limits[each] ?? {}).length > 0);
  const problem = "has limits, and the terms name none; leave it out";
  return type && { type, field: "limits", problem };
}

function findLimitOutOfRange(bounds: LicenseBounds, { license_limits }: SoldLicenses): LimitProblem | undefined {
  for (const type of licenseTypes)
    for (const [name, value] of Object.entries(license_limits[type] ?? {}) as [Clause, number | null][]) {
      const { lowest, highest } = bounds[type][name];
      if (compare(value, lowest) >= 0 && compare(value, highest) <= 0) continue;
      const problem =
        compare(lowest, highest) === 0
          ? `cannot be changed: it is ${limitText(lowest)} ${clauseKinds[name].counts}`
          : `is ${limitText(value)}, and must be from ${limitText(lowest)} to ${limitText(highest)} ${clauseKinds[name].counts}`;
      return { type, field: `limits.${name}`, problem };
    }
  return undefined;
}

/** A higher license must allow more than a lower one. The exclusive license may allow the same. */
function findLimitBelowLower(
  bounds: LicenseBounds,
  { unsold_licenses, license_limits }: SoldLicenses,
): LimitProblem | undefined {
  const soldLicenses = soldTypes({ unsold_licenses }).map((type) => ({
    type,
    limits: limitsOf(bounds[type], license_limits[type]),
  }));
  for (const [index, { type, limits }] of soldLicenses.entries()) {
    const lower = soldLicenses[index - 1];
    if (lower === undefined) continue;
    const reduced = clauses.find((name) => compare(limits[name], lower.limits[name]) < 0);
    if (reduced !== undefined) {
      const has = limitText(limits[reduced]);
      const hasLower = limitText(lower.limits[reduced]);
      const problem = `allows ${has} ${clauseKinds[reduced].counts}, and the ${lower.type} license ${hasLower}; raise it, or lower the other`;
      return { type, field: `limits.${reduced}`, problem };
    }
    if (type !== "exclusive" && clauses.every((name) => limits[name] === lower.limits[name])) {
      const problem = `allows the same as the ${lower.type} license, so buyers could not tell them apart; change one, or stop selling it`;
      return { type, field: "limits", problem };
    }
  }
  return undefined;
}
