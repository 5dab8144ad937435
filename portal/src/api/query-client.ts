import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";
import { isConnectionLost } from "./connection.ts";
import { sessionKey } from "./session.ts";

const maxRetries = 2;
const maxRetryDelayMs = 4_000;
const staleMs = 10_000;

/** What is retried twice; while the connection is lost, everything waits and is retried. */
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
    queries: {
      staleTime: staleMs,
      retry: (failures, error) => isConnectionLost() || (failures < maxRetries && isTransient(error)),
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, maxRetryDelayMs),
    },
    // A change that waited for the connection would be made when nobody expects it any more.
    mutations: { networkMode: "always" },
  },
});
