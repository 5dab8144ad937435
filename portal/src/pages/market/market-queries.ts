import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { marketKey } from "../../api/market.ts";
import type { components, operations } from "../../api/paths.ts";
import type { MarketSearch } from "./market-search.ts";

export type ListedBeat = components["schemas"]["Beat"];
export type PlacedOrder = operations["createMarketOrder"]["responses"]["201"]["content"]["application/json"];
export type OrderBody = operations["createMarketOrder"]["requestBody"]["content"]["application/json"];

export const beatsQuery = ({ q, genre, sort, page = 1 }: MarketSearch) => {
  const query = { page, ...(q !== undefined && { q }), ...(genre !== undefined && { genre }), ...(sort && { sort }) };
  return queryOptions({
    queryKey: [marketKey, "beats", query],
    queryFn: () => unwrap(api.GET("/market/beats", { params: { query } })),
    placeholderData: keepPreviousData,
  });
};

/** Buys once for a key, however often it is repeated. */
export const placeOrder = ({ body, key }: { body: OrderBody; key: string }): Promise<PlacedOrder> =>
  unwrap(api.POST("/market/orders", { body, headers: { "idempotency-key": key } }));
