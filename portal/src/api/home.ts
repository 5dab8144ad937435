import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";
import type { components } from "./paths.ts";

export type Home = components["schemas"]["Home"];
export type ErrorGroup = components["schemas"]["ErrorGroup"];
export type Analytics = components["schemas"]["Analytics"];

/** The failures of the last day by reason and operation, and the newest successful call. */
export const homeQuery = queryOptions({
  queryKey: ["home"],
  queryFn: () => unwrap(api.GET("/home")),
  // Poll more often for a new user, who waits for the first successful call.
  refetchInterval: ({ state }) => (state.data?.latest_success === null ? 1_500 : 5_000),
});

/** The calls of the last day, by the hour. */
export const dayQuery = queryOptions({
  queryKey: ["analytics", "day", undefined],
  queryFn: () => unwrap(api.GET("/analytics", { params: { query: { span: "day" } } })),
  refetchInterval: 30_000,
});
