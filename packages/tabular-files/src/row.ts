/** One row of a file, in any format. */
export interface Row {
  /** The number of the row's first line, from 1. */
  line: number;
  /** The text of each column. */
  values: string[];
  /** The reason why the row is malformed; null if it is well-formed. */
  problem: string | null;
  /** The unchanged text of the row in the file. */
  raw: () => string;
}

/** The columns that are read from a file. */
export interface FileColumns {
  all: readonly string[];
  /** Columns that every row needs. */
  required: readonly string[];
  /** Columns that are read as money. */
  amounts: readonly string[];
  /** Columns whose cells may be lists. */
  lists: readonly string[];
}
