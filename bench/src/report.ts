/** One measured figure, and what it has to reach. */
export interface Row {
  case: string;
  value: number;
  unit: string;
  /** At least this ("min") or at most this ("max"); null for figures that only inform. */
  reach: { min: number } | { max: number } | null;
}

/** The machine form of DESIGN section 5. */
export const machineRow = ({ case: name, value, unit, reach }: Row) => ({
  case: name,
  value: rounded(value),
  unit,
  reach: reach === null ? null : "min" in reach ? reach.min : reach.max,
  ok: isReached({ value, reach }),
});

export const isReached = ({ value, reach }: Pick<Row, "value" | "reach">): boolean =>
  reach === null || ("min" in reach ? value >= reach.min : value <= reach.max);

export function readableRow(row: Row): string {
  const reach = row.reach === null ? "" : "min" in row.reach ? `at least ${row.reach.min}` : `at most ${row.reach.max}`;
  const mark = row.reach === null ? " " : isReached(row) ? "✓" : "✗";
  return `${mark} ${row.case.padEnd(52)} ${String(rounded(row.value)).padStart(10)} ${row.unit.padEnd(14)} ${reach}`;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
