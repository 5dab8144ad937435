import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";
import { sessionKey } from "./session.ts";

const maxRetries = 2;
const staleMs = 10_000;

/** Network failures and 5xx responses are retried. */
const isTransient = (error: Error): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Refetches the session after a 401. Without a session, the route then redirects to the sign-in page. */
function refetchSessionOn401(error: Error): void {
  if (error instanceof ApiError && error.status === 401 && queryClient.getQueryData(sessionKey) !== null)
    void queryClient.invalidateQueries({ queryKey: sessionKey });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refetchSessionOn401 }),
  mutationCache: new MutationCache({ onError: refetchSessionOn401 }),
  defaultOptions: {
    queries: { staleTime: staleMs, retry: (failures, error) => failures < maxRetries && isTransient(error) },
  },
});
