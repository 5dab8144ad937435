import { id, oneOf, page, searchParams, text } from "../../api/search-params.ts";

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

/** Reads the search parameters of the address. */
export const readMarketSearch = searchParams<MarketSearch>({
  q: text(200),
  genre: id,
  sort: oneOf(marketSorts),
  page,
  beat: id,
});
