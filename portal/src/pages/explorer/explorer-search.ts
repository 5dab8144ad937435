/** The search parameters of the explorer. */
export interface ExplorerSearch {
  /** The id of the shown operation. */
  operation?: string;
  /** The id of the log entry that fills the form. */
  call?: number;
  /** The console by default. */
  view?: "reference";
}

/** Reads the search parameters and drops invalid ones. */
export function readExplorerSearch(search: Record<string, unknown>): ExplorerSearch {
  const { operation, call, view } = search;
  return {
    ...(typeof operation === "string" && /^\w{1,40}$/.test(operation) && { operation }),
    ...(Number.isSafeInteger(call) && Number(call) > 0 && { call: Number(call) }),
    ...(view === "reference" && { view }),
  };
}
