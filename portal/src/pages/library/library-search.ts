// The search parameters of the library. Part of the first load, so this file imports no page.

export interface LibrarySearch {
  page?: number;
  /** The order whose files are shown. */
  order?: number;
}

/** Reads the search parameters and drops invalid ones. */
export function readLibrarySearch({ page, order }: Record<string, unknown>): LibrarySearch {
  return {
    ...(Number.isSafeInteger(page) && Number(page) > 1 && Number(page) <= 2_147_483_647 && { page: Number(page) }),
    ...(Number.isSafeInteger(order) && Number(order) > 0 && { order: Number(order) }),
  };
}
