/** One row of a file, whatever its format. */
export interface Row {
  /** The line it begins in, from 1. */
  line: number;
  /** What stands in each column. */
  values: string[];
  /** Why it is no row; null for a well-formed one. */
  problem: string | null;
  /** Verbatim. */
  raw: () => string;
}
