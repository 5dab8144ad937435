/** One row of a file, in any format. */
export interface Row {
  /** The line it begins in, from 1. */
  line: number;
  /** The text of each column. */
  values: string[];
  /** The reason why the row is malformed; null if it is well-formed. */
  problem: string | null;
  /** Verbatim. */
  raw: () => string;
}
