/** One row of a file, whatever its format. */
export interface Row {
  /** The line it begins in, from 1. */
  line: number;
  /** The text of each column. */
  values: string[];
  /** Why the row is malformed; null if it is well-formed. */
  problem: string | null;
  /** Verbatim. */
  raw: () => string;
}
