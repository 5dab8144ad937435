/** One sliding window: no period of `seconds` has more than `limit` admitted requests. */
export interface RateWindow {
  readonly name: "minute" | "hour" | "day";
  readonly seconds: number;
  readonly limit: number;
}

/** A window after the decision; if the request was admitted, it is included. */
export interface WindowState {
  readonly window: RateWindow;
  readonly remaining: number;
  /** When the next request leaves the window: wall time, Unix milliseconds. */
  readonly resetAtMs: number;
}

/** The decision on one request. A plan without windows (internal) admits it and has no states. */
export interface RateDecision {
  readonly admitted: boolean;
  /** Wall time of the decision, Unix milliseconds. */
  readonly atMs: number;
  /** Shortest window first. */
  readonly windows: readonly WindowState[];
  /** The full window with the longest wait; null if the request was admitted. */
  readonly refusedBy: RateWindow | null;
  /** Seconds, rounded up, until a request will be admitted; 0 if admitted. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts admitted requests in exact sliding windows: a request at `t` is admitted if and only if each window had fewer
 * than `limit` admitted requests in the `seconds` up to `t`. A request admitted exactly `seconds` ago no longer counts.
 * Rejected requests are not counted.
 */
export interface RateLimitStore {
  /** Decides one request of a bucket and counts it if admitted. Returns a promise only if it must wait. */
  admit(bucket: number, windows: readonly RateWindow[]): RateDecision | Promise<RateDecision>;

  /** Why shared limits are currently counted by this process alone: "Redis is unreachable"; null without a problem. */
  readonly problem: string | null;

  /** Returns a bucket's windows, shortest first, without counting a request. */
  peek(bucket: number, windows: readonly RateWindow[]): Promise<readonly WindowState[]>;
}

/** How long times are kept, and how many for each bucket. Older or further times cannot affect a decision. */
export interface Retention {
  readonly keepMs: number;
  readonly largestLimit: number;
}

/** Returns the retention for buckets whose windows are among these. */
export const retentionOf = (windows: readonly RateWindow[]): Retention => ({
  keepMs: Math.max(...windows.map(({ seconds }) => seconds)) * 1000,
  largestLimit: Math.max(...windows.map(({ limit }) => limit)),
});
