import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { Problem } from "./client.ts";
import { sessionKey } from "./session.ts";

const maxRetries = 2;
const staleMs = 10_000;

/** Only what may get better by itself is tried again. */
const mayRecover = (error: Error): boolean => error instanceof Problem && (error.status === 0 || error.status >= 500);

/** Whoever is told that nobody is signed in asks anew who is, and so gets to the sign-in page. */
function noticeEndOfSession(error: Error): void {
  if (error instanceof Problem && error.status === 401 && queryClient.getQueryData(sessionKey) !== null)
    void queryClient.invalidateQueries({ queryKey: sessionKey });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  defaultOptions: {
    queries: { staleTime: staleMs, retry: (failures, error) => failures < maxRetries && mayRecover(error) },
  },
});
