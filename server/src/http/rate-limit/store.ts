import type { RateWindow } from "../admission/plans.ts";

/** Where one window stands once the request is decided; an admitted request is already counted. */
export interface WindowState {
  readonly window: RateWindow;
  readonly remaining: number;
  /** Wall time, Unix milliseconds, at which the window next frees a request. */
  readonly resetAtMs: number;
}

/** What became of one request. Without windows (plan internal) it is admitted and has no states. */
export interface RateDecision {
  readonly admitted: boolean;
  /** Wall time of the decision, Unix milliseconds. */
  readonly atMs: number;
  /** In the plan's order: shortest window first. */
  readonly windows: readonly WindowState[];
  /** The exhausted window that takes longest to free a request; null when admitted. */
  readonly refusedBy: RateWindow | null;
  /** Whole seconds, rounded up, after which one request will be admitted; 0 when admitted. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts admitted requests in exact sliding windows: a request at `t` is admitted if and only if each window had
 * fewer than `limit` admitted ones in the `seconds` up to `t` (one admitted exactly `seconds` ago has left).
 * Refused requests are not counted.
 */
export interface RateLimitStore {
  /** Decides one request of a bucket and counts it when admitted. A promise only where it has to wait. */
  admit(bucket: number, windows: readonly RateWindow[]): RateDecision | Promise<RateDecision>;

  /** Where a bucket's windows stand, nothing counted: shortest window first. */
  look(bucket: number, windows: readonly RateWindow[]): Promise<readonly WindowState[]>;
}
