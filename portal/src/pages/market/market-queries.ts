import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/paths.ts";
import type { MarketSearch } from "./market-search.ts";

export type ListedBeat = components["schemas"]["Beat"];
/** A license of a beat on sale: price, files, terms. */
export type OfferedLicense = components["schemas"]["OfferedLicense"];
export type OfferedBeat = operations["getMarketBeat"]["responses"]["200"]["content"]["application/json"];
export type MarketOptions = operations["getMarketOptions"]["responses"]["200"]["content"]["application/json"];
export type PlacedOrder = operations["createMarketOrder"]["responses"]["201"]["content"]["application/json"];
export type OrderBody = operations["createMarketOrder"]["requestBody"]["content"]["application/json"];

const marketKey = "market";

export const optionsQuery = queryOptions({
  queryKey: [marketKey, "options"],
  queryFn: () => unwrap(api.GET("/market/options")),
  staleTime: 300_000,
});

export const beatsQuery = ({ q, genre, sort, page = 1 }: MarketSearch) => {
  const query = { page, ...(q !== undefined && { q }), ...(genre !== undefined && { genre }), ...(sort && { sort }) };
  return queryOptions({
    queryKey: [marketKey, "beats", query],
    queryFn: () => unwrap(api.GET("/market/beats", { params: { query } })),
    placeholderData: keepPreviousData,
  });
};

/** Always read anew, since prices may change. */
export const beatQuery = (id: number) =>
  queryOptions({
    queryKey: [marketKey, "beat", id],
    queryFn: () => unwrap(api.GET("/market/beats/{beat_id}", { params: { path: { beat_id: id } } })),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

/** Buys once for a key, however often it is repeated. */
export const placeOrder = ({ body, key }: { body: OrderBody; key: string }): Promise<PlacedOrder> =>
  unwrap(api.POST("/market/orders", { body, headers: { "idempotency-key": key } }));
