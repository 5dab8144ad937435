/** One measured figure, and what it has to reach. */
export interface Row {
  case: string;
  /** Null when it could not be measured; `unit` then says why. */
  value: number | null;
  unit: string;
  /** At least this ("min") or at most this ("max"); null for figures that only inform. */
  reach: { min: number } | { max: number } | null;
}

/** The machine form of DESIGN section 5. */
export const machineRow = ({ case: name, value, unit, reach }: Row) => ({
  case: name,
  value: value === null ? null : rounded(value),
  unit,
  reach: reach === null ? null : "min" in reach ? reach.min : reach.max,
  ok: isReached({ value, reach }),
});

/** What could not be measured reaches nothing. */
export function isReached({ value, reach }: Pick<Row, "value" | "reach">): boolean {
  if (value === null) return false;
  return reach === null || ("min" in reach ? value >= reach.min : value <= reach.max);
}

export function readableRow(row: Row): string {
  const reach = row.reach === null ? "" : "min" in row.reach ? `at least ${row.reach.min}` : `at most ${row.reach.max}`;
  const mark = row.reach === null && row.value !== null ? " " : isReached(row) ? "✓" : "✗";
  const value = row.value === null ? "" : String(rounded(row.value));
  return `${mark} ${row.case.padEnd(52)} ${value.padStart(10)} ${row.unit.padEnd(14)} ${reach}`.trimEnd();
}

/** Four digits are more than a measurement knows; what was counted stays exact. */
const rounded = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(4)));

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest value that so large a share of all does not pass; `share` is above 0 and up to 1. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}
