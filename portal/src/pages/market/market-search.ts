// The search parameters of the market. Part of the first load, so this file imports no page.

export const marketSorts = ["newest", "popular", "price_asc", "price_desc"] as const;

export interface MarketSearch {
  /** Words, tempos and keys. */
  q?: string;
  /** The id of a genre. */
  genre?: number;
  sort?: (typeof marketSorts)[number];
  page?: number;
  /** The beat whose licenses are shown. */
  beat?: number;
}

const maxTextLength = 200;
const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Reads the search parameters and drops invalid ones. */
export function readMarketSearch(search: Record<string, unknown>): MarketSearch {
  // A text of digits is read as a number.
  const q = typeof search.q === "number" ? String(search.q) : search.q;
  const sort = marketSorts.find((its) => its === search.sort);
  const { genre, page, beat } = search;
  return {
    ...(typeof q === "string" && q.trim() !== "" && { q: q.replaceAll("\0", "").slice(0, maxTextLength) }),
    ...(isId(genre) && { genre }),
    ...(sort !== undefined && { sort }),
    ...(isId(page) && page > 1 && page <= 2_147_483_647 && { page }),
    ...(isId(beat) && { beat }),
  };
}
