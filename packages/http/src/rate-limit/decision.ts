import type { RateDecision, RateWindow, WindowState } from "./store.ts";

/** The use of a window before the decision. */
export interface WindowUse {
  /** Number of admitted requests in the window, at most its limit. */
  readonly used: number;
  /** Time until the oldest request leaves the window; the window's length if it is empty. */
  readonly freesInMs: number;
}

/** Decides a request by the rule of `RateLimitStore`. `uses` has one entry for each of `windows`. */
export function decisionOf(windows: readonly RateWindow[], uses: readonly WindowUse[], atMs: number): RateDecision {
  let refusedBy: RateWindow | null = null;
  let longestWaitMs = 0;
  for (const [i, window] of windows.entries()) {
    const { used, freesInMs } = useOf(uses, i);
    if (used < window.limit || freesInMs < longestWaitMs) continue;
    longestWaitMs = freesInMs;
    refusedBy = window;
  }
  const counted = refusedBy === null ? 1 : 0;
  return {
    admitted: refusedBy === null,
    atMs,
    windows: statesOf(windows, uses, atMs, counted),
    refusedBy,
    retryAfterSeconds: Math.ceil(longestWaitMs / 1000),
  };
}

/** Returns the states of windows after `counted` further requests. */
export const statesOf = (
  windows: readonly RateWindow[],
  uses: readonly WindowUse[],
  atMs: number,
  counted = 0,
): WindowState[] =>
  windows.map((window, i) => {
    const { used, freesInMs } = useOf(uses, i);
    return { window, remaining: window.limit - used - counted, resetAtMs: atMs + freesInMs };
  });

/** The decision for a plan without windows (internal). */
export const unlimited = (atMs: number): RateDecision => ({
  admitted: true,
  atMs,
  windows: [],
  refusedBy: null,
  retryAfterSeconds: 0,
});

function useOf(uses: readonly WindowUse[], index: number): WindowUse {
  const use = uses[index];
  if (use === undefined) throw new Error("The use of a window is missing.");
  return use;
}
