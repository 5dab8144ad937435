import type { CallFilter, CallsOf } from "../call-filter.ts";
import type { CallOwner, CallShape } from "../entry.ts";
import type { LogBatch } from "./log-batch.ts";

/** Bars of a chart over time. They start on the UTC clock: days at midnight, quarters of days at 00:00, 06:00 and so on. */
export interface Period {
  fromMs: number;
  barMs: number;
  bars: number;
}

export const endMs = ({ fromMs, barMs, bars }: Period): number => fromMs + barMs * bars;

/** What a rate limit applies to: a key. Its calls from the explorer have a separate bucket. */
export interface Bucket {
  apiKeyId: number;
  fromExplorer: boolean;
}

/** A call as it is stored. */
export interface StoredCall extends CallOwner, CallShape {
  id: number;
  timeMs: number;
  durationMs: number;
  requestId: string;
}

/** A call's place in the order of the log: by time, then by id. */
export interface Position {
  timeMs: number;
  id: number;
}

export interface Page {
  limit: number;
  /** Only calls that are older. */
  before?: Position | undefined;
  /** At most how many calls are searched; absent: the store's own bound. */
  scanned?: number | undefined;
}

export interface Found {
  /** Newest first. */
  calls: StoredCall[];
  /** The oldest call searched; null if all were. */
  last: Position | null;
}

export type StatusClass = 2 | 3 | 4 | 5;

export interface CountedBars {
  counts: { bar: number; statusClass: StatusClass; calls: number }[];
  /** Calls before that are not counted; null if all are. */
  countedFrom: Date | null;
}

/** An account's failed calls with the same status, reason and operation. */
export interface FailedCalls {
  calls: number;
  firstMs: number;
  latest: StoredCall;
}

export interface AccountTimes {
  userId: number;
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

/** A client address and user agent that used a key. */
export interface KeyClient {
  clientAddress: string;
  userAgent: string;
  calls: number;
  lastAt: Date;
}

export type WrittenBatch = Pick<LogBatch, "blocks"> & Partial<Pick<LogBatch, "countedBlocks">>;

/**
 * Where the calls of the request log are stored. Their counts are in PostgreSQL with every store. Reads throw
 * `Unavailable` while the store cannot be reached.
 */
export interface CallStore {
  /** Calls that the store took over and has not written yet. */
  readonly waiting: number;
  /** Calls since the start for which the store had no place. */
  readonly dropped: number;
  /** Takes a batch over and adds all its calls to the counts. Does neither if it rejects. */
  write(batch: WrittenBatch): Promise<void>;
  /** Tries to write what waits. Never rejects. */
  flush(): Promise<void>;
  search(callsOf: CallsOf, filter: CallFilter, page: Page): Promise<Found>;
  /** Null for an unknown id, an expired call, and a call of another account. */
  find(callsOf: CallsOf, id: number): Promise<StoredCall | null>;
  /** Counts the calls that pass a filter in each bar of the period, which replaces the filter's times. */
  countBars(userId: number, filter: CallFilter, period: Period, scanned?: number): Promise<CountedBars>;
  /** The failed calls of an account by kind, last seen first. Stops at a bound, then `isWhole` is false. */
  groupFailed(times: AccountTimes, scanned?: number): Promise<{ groups: FailedCalls[]; isWhole: boolean }>;
  /** Those who used a key since then, latest first. `isWhole` is false if not all its calls were searched. */
  clientsOf(apiKeyId: number, sinceMs: number): Promise<{ clients: KeyClient[]; isWhole: boolean }>;
  /**
   * The times at which a bucket's requests were admitted after `sinceMs` (docs/api/limits.md, Sliding windows): Unix
   * milliseconds, ascending, the newest `atMost`.
   */
  admittedSince(bucket: Bucket, sinceMs: number, atMost: number): Promise<number[]>;
  /** Deletes calls that are older. Returns how many it knows of. */
  deleteBefore(timeMs: number): Promise<number>;
  /** Deletes the calls of accounts, at the latest some time after it resolves. To be repeated: some may still be on their way. */
  eraseAccounts(userIds: readonly number[]): Promise<void>;
  /** Deletes the oldest calls until at most `maxBytes` are stored. Returns the size; null where the store bounds itself. */
  deleteBeyond(maxBytes: number): Promise<number | null>;
}
