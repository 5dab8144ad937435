import { ApiError } from "@beatmarket/foundation/errors.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";

/** A slower request gets 503. Typical clients wait for 30 seconds. */
export const requestTimeoutMs = 20_000;

/** Rejects with 503 when a promise exceeds the timeout of its request, which was received at `receivedMs`. */
export const withRequestTimeout = <T>(promise: Promise<T>, receivedMs: number): Promise<T> =>
  withTimeout(promise, Math.max(0, receivedMs + requestTimeoutMs - performance.now()), timedOut);

const timedOut = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    `The request was not answered within ${requestTimeoutMs / 1000} seconds. Try again, with the same Idempotency-Key if it had one.`,
    { headers: { "retry-after": "2" }, refusedBy: "time-limit" },
  );
