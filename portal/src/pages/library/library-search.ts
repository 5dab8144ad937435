import { id, page, searchParams } from "../../api/search-params.ts";

// The search parameters of the library. Part of the first load, so this file imports no page.

export interface LibrarySearch {
  page?: number;
  /** The order whose files are shown. */
  order?: number;
}

/** Reads the search parameters of the address. */
export const readLibrarySearch = searchParams<LibrarySearch>({ page, order: id });
