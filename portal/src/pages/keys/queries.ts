import { queryOptions } from "@tanstack/react-query";
import { answered, api } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";

export type ApiKey = components["schemas"]["ApiKey"];

const keysKey = ["keys"] as const;

export const keysQuery = queryOptions({ queryKey: keysKey, queryFn: () => answered(api.GET("/keys")) });

/** What is left of each active key's limits, as it is now. */
export const keyLimitsQuery = queryOptions({
  queryKey: ["key-limits"],
  queryFn: () => answered(api.GET("/keys/limits")),
  refetchInterval: 2_000,
});

/** How people tell their keys apart: the ending, since no more of it is known. */
export const maskedKey = ({ ends_with }: Pick<ApiKey, "ends_with">): string => `bm_…${ends_with}`;
