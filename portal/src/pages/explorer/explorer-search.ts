/** What the explorer's address says. */
export interface ExplorerSearch {
  /** The operation that is shown. */
  operation?: string;
  /** The log entry whose call the form is filled with. */
  call?: number;
  /** The console is what is shown without it. */
  view?: "reference";
}

/** Reads an address, whatever stands in it: what makes no sense is left out. */
export function readExplorerSearch(search: Record<string, unknown>): ExplorerSearch {
  const { operation, call, view } = search;
  return {
    ...(typeof operation === "string" && /^\w{1,40}$/.test(operation) && { operation }),
    ...(Number.isSafeInteger(call) && Number(call) > 0 && { call: Number(call) }),
    ...(view === "reference" && { view }),
  };
}
