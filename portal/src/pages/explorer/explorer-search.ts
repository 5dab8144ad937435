import { id, oneOf, searchParams, text } from "../../api/search-params.ts";

/** The search parameters of the explorer. */
export interface ExplorerSearch {
  /** The id of the shown operation. */
  operation?: string;
  /** The id of the log entry that fills the form. */
  call?: number;
  /** The console by default. */
  view?: "reference";
}

/** Reads the search parameters of the address. */
export const readExplorerSearch = searchParams<ExplorerSearch>({
  operation: text(40),
  call: id,
  view: oneOf(["reference"]),
});
