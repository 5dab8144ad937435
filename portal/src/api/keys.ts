import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";
import type { components } from "./paths.ts";

export type ApiKey = components["schemas"]["ApiKey"];

export const keysQuery = queryOptions({ queryKey: ["keys"], queryFn: () => unwrap(api.GET("/keys")) });

/** The account's requests for higher limits, with the decisions. */
export const limitRequestsQuery = queryOptions({
  queryKey: ["keys", "limit-requests"],
  queryFn: () => unwrap(api.GET("/keys/limit-requests")),
});
export type LimitRequest = components["schemas"]["LimitRequest"];

/** The remaining calls of each active key's limits, polled. */
export const keyLimitsQuery = queryOptions({
  queryKey: ["key-limits"],
  queryFn: () => unwrap(api.GET("/keys/limits")),
  refetchInterval: 2_000,
});
