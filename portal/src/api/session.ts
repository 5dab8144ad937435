import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { answered, api } from "./client.ts";
import type { components } from "./paths.ts";

export type Account = NonNullable<components["schemas"]["Session"]["account"]>;

export const sessionKey = ["session"] as const;

/** Who is signed in, and what this server offers to whoever is not. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: () => answered(api.GET("/session")),
  staleTime: 60_000,
});

/** The account that is signed in; null for nobody, and until it is known. */
export function useAccount(): Account | null {
  return useQuery(sessionQuery).data?.account ?? null;
}

/** After somebody signed in or out: asks who it is now, and forgets all that was read for somebody else. */
export async function changeSession(client: QueryClient): Promise<void> {
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}
