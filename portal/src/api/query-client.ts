import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";
import { isConnectionLost } from "./connection.ts";
import { sessionKey } from "./session.ts";

const maxRetries = 2;
const maxRetryDelayMs = 4_000;
const staleMs = 10_000;

/** Whether a retry may help: the server failed, or did not respond. */
const isTransient = (error: Error): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/**
 * Statuses after which the session may have changed: another window or member may have ended the session, changed the
 * role or switched the account.
 */
const statusesOfChangedSession: readonly number[] = [401, 403, 409];

/**
 * Refetches the session after a refusal that a changed session may have caused. Without a session, the route then
 * redirects to the sign-in page.
 */
function refetchRefusedSession(error: Error): void {
  if (
    error instanceof ApiError &&
    statusesOfChangedSession.includes(error.status) &&
    queryClient.getQueryData(sessionKey) !== null
  )
    void queryClient.invalidateQueries({ queryKey: sessionKey });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refetchRefusedSession }),
  mutationCache: new MutationCache({ onError: refetchRefusedSession }),
  defaultOptions: {
    queries: {
      staleTime: staleMs,
      // While the connection is lost, every query waits and retries.
      retry: (failures, error) => isConnectionLost() || (failures < maxRetries && isTransient(error)),
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, maxRetryDelayMs),
    },
    // Mutations fail during an outage: a delayed change would surprise the user.
    mutations: { networkMode: "always" },
  },
});
