/** One sliding window: no period of `seconds` has more than `limit` admitted requests. */
export interface RateWindow {
  readonly name: "minute" | "hour" | "day";
  readonly seconds: number;
  readonly limit: number;
}

/** The state of a window after the decision. Includes an admitted request. */
export interface WindowState {
  readonly window: RateWindow;
  readonly remaining: number;
  /** The time at which the oldest request leaves the window: wall time, Unix milliseconds. */
  readonly resetAtMs: number;
}

/** The decision on one request. A plan without windows (internal) admits every request. */
export interface RateDecision {
  readonly admitted: boolean;
  /** Wall time of the decision, Unix milliseconds. */
  readonly atMs: number;
  /** Shortest window first. */
  readonly windows: readonly WindowState[];
  /** The full window with the longest wait; null if the request was admitted. */
  readonly refusedBy: RateWindow | null;
  /** Seconds, rounded up, until a request can be admitted; 0 if the request was admitted. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts admitted requests in exact sliding windows: a request at `t` is admitted if and only if each window had fewer
 * than `limit` admitted requests in the `seconds` up to `t`. A request admitted exactly `seconds` ago no longer counts.
 * Rejected requests are not counted.
 */
export interface RateLimitStore {
  /** Decides one request of a bucket, and counts an admitted request. Returns a promise only if it must wait. */
  admit(bucket: number, windows: readonly RateWindow[]): RateDecision | Promise<RateDecision>;

  /**
   * The reason why this process counts only its own requests although limits are shared, such as "Redis is
   * unreachable". Null if it shares its counts, or is not meant to.
   */
  readonly problem: string | null;

  /** Returns a bucket's windows, shortest first, without counting a request. */
  peek(bucket: number, windows: readonly RateWindow[]): Promise<readonly WindowState[]>;
}

/** How long times are stored, and how many for each bucket. Further times cannot affect a decision. */
export interface Retention {
  readonly keepMs: number;
  readonly largestLimit: number;
}

/** Returns the retention for buckets whose windows are among these. */
export const retentionOf = (windows: readonly RateWindow[]): Retention => ({
  keepMs: Math.max(...windows.map(({ seconds }) => seconds)) * 1000,
  largestLimit: Math.max(...windows.map(({ limit }) => limit)),
});
