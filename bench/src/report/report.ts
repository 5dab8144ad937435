/** One measured figure and its target. */
export interface Row {
  case: string;
  /** Null if the measurement was impossible. Then `unit` gives the reason. */
  value: number | null;
  unit: string;
  /** At least this ("min") or at most this ("max"); null for figures without a target. */
  target: { min: number } | { max: number } | null;
}

/** The form of `--json`, which names the target `reach`. */
export const machineRow = ({ case: name, value, unit, target }: Row) => ({
  case: name,
  value: value === null ? null : rounded(value),
  unit,
  reach: limitOf(target),
  ok: meetsTarget({ value, target }),
});

function limitOf(target: Row["target"]): number | null {
  if (target === null) return null;
  return "min" in target ? target.min : target.max;
}

/** A figure that could not be measured meets no target. */
export function meetsTarget({ value, target }: Pick<Row, "value" | "target">): boolean {
  if (value === null) return false;
  return target === null || ("min" in target ? value >= target.min : value <= target.max);
}

export function readableRow(row: Row): string {
  const { case: name, unit } = row;
  const target = row.target === null ? "" : `at ${"min" in row.target ? "least" : "most"} ${limitOf(row.target)}`;
  const isWithoutTarget = row.target === null && row.value !== null;
  const result = meetsTarget(row) ? "✓" : "✗";
  const mark = isWithoutTarget ? " " : result;
  const value = row.value === null ? "" : String(rounded(row.value));
  return `${mark} ${name.padEnd(52)} ${value.padStart(10)} ${unit.padEnd(37)} ${target}`.trimEnd();
}

/** Four digits exceed the precision of a measurement. Counts stay exact. */
const rounded = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(4)));
