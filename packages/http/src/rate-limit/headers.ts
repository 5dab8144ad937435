import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { RateDecision, WindowState } from "./store.ts";

/**
 * The rate-limit headers of every response to a valid key: X-RateLimit-* for the window with the fewest remaining
 * requests, RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-11) for all windows. Empty for a plan
 * without windows (internal).
 */
export function rateLimitHeaders(decision: RateDecision): Record<string, string> {
  let fewest: WindowState | undefined;
  let policy = "";
  let limits = "";
  for (const state of decision.windows) {
    // Longer windows come later. On a tie the longer window is stricter.
    if (fewest === undefined || state.remaining <= fewest.remaining) fewest = state;
    const { name, limit, seconds } = state.window;
    const separator = policy === "" ? "" : ", ";
    policy += `${separator}"${name}";q=${limit};w=${seconds}`;
    limits += `${separator}"${name}";r=${state.remaining};t=${Math.ceil((state.resetAtMs - decision.atMs) / 1000)}`;
  }
  if (fewest === undefined) return {};
  return {
    "X-RateLimit-Limit": String(fewest.window.limit),
    "X-RateLimit-Remaining": String(fewest.remaining),
    "X-RateLimit-Reset": String(Math.ceil(fewest.resetAtMs / 1000)),
    "RateLimit-Policy": policy,
    RateLimit: limits,
  };
}

const thousands = new Intl.NumberFormat("en");

/** Creates the 429 of a rejected request, with Retry-After. The response also needs `rateLimitHeaders`. */
export function rateLimitExceeded({ refusedBy, retryAfterSeconds }: RateDecision): ApiError {
  if (refusedBy === null) throw new Error("An admitted request exceeds no limit.");
  const { limit, name } = refusedBy;
  return new ApiError(
    429,
    "rate_limit_exceeded",
    "Rate limit exceeded",
    `${thousands.format(limit)} requests per ${name} are allowed for this key; try again in ${waitInWords(retryAfterSeconds)}.`,
    { headers: { "Retry-After": String(retryAfterSeconds) }, refusedBy: `limit:${name}` },
  );
}

function waitInWords(seconds: number): string {
  if (seconds === 1) return "1 second";
  if (seconds >= 7_200) return `${seconds} seconds (about ${Math.round(seconds / 3_600)} hours)`;
  if (seconds >= 120) return `${seconds} seconds (about ${Math.round(seconds / 60)} minutes)`;
  return `${seconds} seconds`;
}
