import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";
import { isConnectionLost } from "./connection.ts";
import { sessionKey } from "./session.ts";

const maxRetries = 2;
const maxRetryDelayMs = 4_000;
const staleMs = 10_000;

/** Errors that are retried twice. While the connection is lost, every query waits and is retried. */
const isTransient = (error: Error): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/**
 * Refusals after which the session may have changed: it ended, got another role, or acts as another account, because of
 * another window or another member.
 */
const ofTheSession: readonly number[] = [401, 403, 409];

/**
 * Refetches the session after a refusal that a changed session may have caused. Without a session, the route then
 * redirects to the sign-in page.
 */
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
    // A change that waited for the connection would be made when its user no longer expects it.
    mutations: { networkMode: "always" },
  },
});
