import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";
import type { components } from "./paths.ts";

export type Account = NonNullable<components["schemas"]["Session"]["account"]>;

export const sessionKey = ["session"] as const;

/** The signed-in account, and the settings of this server that the portal shows. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: () => unwrap(api.GET("/session")),
  staleTime: 60_000,
});

/** The signed-in account; null while loading and when signed out. */
export function useAccount(): Account | null {
  return useQuery(sessionQuery).data?.account ?? null;
}

/** After a sign-in or sign-out: refetches the session and removes the cached data of the previous account. */
export async function refreshSession(client: QueryClient): Promise<void> {
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}
