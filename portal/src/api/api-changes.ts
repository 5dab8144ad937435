import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";
import type { components } from "./paths.ts";

export type ApiChange = components["schemas"]["ApiChange"];

/** The changes of each operation since the account last called the operation. */
export const apiChangesQuery = queryOptions({
  queryKey: ["api-changes"],
  queryFn: () => unwrap(api.GET("/api-changes")),
  staleTime: 300_000,
});
