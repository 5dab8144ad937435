import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";
import { isConnectionLost } from "./connection.ts";
import { sessionKey } from "./session.ts";

const maxRetries = 2;
const maxRetryDelayMs = 4_000;
const staleMs = 10_000;

/** What is retried twice; while the connection is lost, everything waits and is retried. */
const isTransient = (error: Error): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** It has ended, has another role, or acts as another account: another window, or another member, changed it. */
const ofTheSession: readonly number[] = [401, 403, 409];

/** Refetches the session after a refusal that may lie in it. Without a session, the route then redirects to the sign-in page. */
function refetchRefusedSession(error: Error): void {
  if (error instanceof ApiError && ofTheSession.includes(error.status) && queryClient.getQueryData(sessionKey) !== null)
    void queryClient.invalidateQueries({ queryKey: sessionKey });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refetchRefusedSession }),
  mutationCache: new MutationCache({ onError: refetchRefusedSession }),
  defaultOptions: {
    queries: {
      staleTime: staleMs,
      retry: (failures, error) => isConnectionLost() || (failures < maxRetries && isTransient(error)),
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, maxRetryDelayMs),
    },
    // A change that waited for the connection would be made when no one expects it any more.
    mutations: { networkMode: "always" },
  },
});
