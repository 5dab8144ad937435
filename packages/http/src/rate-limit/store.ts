/** One sliding window: in no `seconds` are more than `limit` requests admitted. */
export interface RateWindow {
  readonly name: "minute" | "hour" | "day";
  readonly seconds: number;
  readonly limit: number;
}

/** A window after the decision; it includes the request if admitted. */
export interface WindowState {
  readonly window: RateWindow;
  readonly remaining: number;
  /** When the window next frees a request: wall time, Unix milliseconds. */
  readonly resetAtMs: number;
}

/** The decision on one request. A plan without windows (internal) admits it and has no states. */
export interface RateDecision {
  readonly admitted: boolean;
  /** Wall time of the decision, Unix milliseconds. */
  readonly atMs: number;
  /** Shortest window first. */
  readonly windows: readonly WindowState[];
  /** The full window that takes longest to free a request; null if admitted. */
  readonly refusedBy: RateWindow | null;
  /** Seconds, rounded up, until a request will be admitted; 0 if admitted. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts admitted requests in exact sliding windows: a request at `t` is admitted if and only if each window had
 * fewer than `limit` admitted ones in the `seconds` up to `t` (one admitted exactly `seconds` ago has left).
 * Rejected requests are not counted.
 */
export interface RateLimitStore {
  /** Decides one request of a bucket and counts it if admitted. Returns a promise only if it must wait. */
  admit(bucket: number, windows: readonly RateWindow[]): RateDecision | Promise<RateDecision>;

  /** Why limits that are to be shared are counted by this process alone: "Redis is away"; null where nothing is wrong. */
  readonly problem: string | null;

  /** A bucket's windows, shortest first, without counting a request. */
  peek(bucket: number, windows: readonly RateWindow[]): Promise<readonly WindowState[]>;
}

/** How long times are kept, and how many of a bucket: older or further ones cannot affect a decision. */
export interface Retention {
  readonly keepMs: number;
  readonly largestLimit: number;
}

/** The retention for buckets whose windows are among these. */
export const retentionOf = (windows: readonly RateWindow[]): Retention => ({
  keepMs: Math.max(...windows.map(({ seconds }) => seconds)) * 1000,
  largestLimit: Math.max(...windows.map(({ limit }) => limit)),
});
