import { amount, oneOf, searchParams } from "../../api/search-params.ts";

// The search parameters of a beat's page. The first load includes this file, so it imports no page.

export interface OfferSearch {
  /** The license that is being bought. */
  buy?: "basic" | "premium" | "unlimited" | "exclusive";
  /** The price that the buyer saw on the page that led here. */
  price?: number;
}

/** Reads the search parameters of the address. */
export const readOfferSearch = searchParams<OfferSearch>({
  buy: oneOf(["basic", "premium", "unlimited", "exclusive"]),
  price: amount,
});
