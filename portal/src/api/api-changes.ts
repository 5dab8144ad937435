import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";
import type { components } from "./paths.ts";

export type ApiChange = components["schemas"]["ApiChange"];

/** Changes of the operations that the account uses, each since the account's last call. */
export const apiChangesQuery = queryOptions({
  queryKey: ["api-changes"],
  queryFn: () => unwrap(api.GET("/api-changes")),
  staleTime: 300_000,
});
