import { id, page, searchParams } from "../../api/search-params.ts";

// The search parameters of the library. The first load includes this file, so it imports no page.

export interface LibrarySearch {
  page?: number;
  /** The order whose files are shown. */
  order?: number;
}

/** Reads the search parameters of the address. */
export const readLibrarySearch = searchParams<LibrarySearch>({ page, order: id });
