import { queryOptions } from "@tanstack/react-query";
import versions from "../../../contract/api-versions.json" with { type: "json" };
import { api, unwrap } from "./client.ts";

/** The dates of the API's versions, oldest first. */
export const versionDates: readonly string[] = versions.map(({ date }) => date);

/** The version that the account is pinned to; null before its first call. */
export const accountVersionQuery = queryOptions({
  queryKey: ["key-version"],
  queryFn: async () => (await unwrap(api.GET("/keys/version"))).version,
});
