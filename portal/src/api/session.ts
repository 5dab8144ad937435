import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";
import { followLanguage } from "./language.ts";
import type { components } from "./paths.ts";
import { showAccount } from "./shown-account.ts";
import { hasUnsavedWork, setSessionEnded } from "./unsaved-work.ts";

export type Account = NonNullable<components["schemas"]["Session"]["account"]>;

export const sessionKey = ["session"] as const;

/** The signed-in account, and the settings of this server that the portal shows. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ client }) => {
    const session = await unwrap(api.GET("/session"));
    const before = client.getQueryData<typeof session>(sessionKey);
    // Without an account the sign-in page would replace a page with unsaved input, so keep the account.
    const mustStay = session.account === null && before !== undefined && before.account !== null && hasUnsavedWork();
    setSessionEnded(mustStay);
    if (mustStay) return before;
    const userId = before?.account?.user_id;
    showAccount(session.account?.user_id ?? null);
    // The account changed, because another window switched it or the membership ended. Remove the previous data.
    if (userId !== undefined && session.account !== null && userId !== session.account.user_id)
      void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    // Everyone shares the demo account, so each reader keeps their own language.
    if (session.account !== null && !session.account.is_demo) followLanguage(session.account.language);
    return session;
  },
  staleTime: 60_000,
});

/** The signed-in account; null while loading and when signed out. */
export function useAccount(): Account | null {
  return useQuery(sessionQuery).data?.account ?? null;
}

export type MemberPermission = keyof NonNullable<Account["organisation"]>["refusals"];

/**
 * Why the member's role lacks a permission, and what to do about it; undefined if the role has it, or without an
 * organisation.
 */
export const useRefusal = (permission: MemberPermission): string | undefined =>
  useAccount()?.organisation?.refusals[permission];

/** After a sign-in or sign-out: refetches the session and removes the cached data of the previous account. */
export async function refreshSession(client: QueryClient): Promise<void> {
  await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}
