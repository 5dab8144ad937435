import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";
import type { components } from "./paths.ts";

/** An entry in a list of the request log. */
export type LoggedCall = components["schemas"]["LoggedCall"];
/** An entry of the request log with its headers, body, error and events. */
export type LoggedCallDetail = components["schemas"]["LoggedCallDetail"];

export const callQuery = (id: number) =>
  queryOptions({
    queryKey: ["call", id],
    queryFn: () => unwrap(api.GET("/calls/{call_id}", { params: { path: { call_id: id } } })),
  });

/** Every key in the account's request log, newest first, including revoked and expired keys. */
export const loggedKeysQuery = queryOptions({
  queryKey: ["logged-keys"],
  queryFn: () => unwrap(api.GET("/calls/keys")),
  staleTime: 60_000,
});
