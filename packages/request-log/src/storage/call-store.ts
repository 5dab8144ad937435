import type { CallFilter, CallsOf } from "../call-filter.ts";
import type { CallOwner, CallShape } from "../entry.ts";
import type { LogBatch } from "./log-batch.ts";

/**
 * The bars of a chart over time. They are aligned to the UTC clock: days start at midnight, bars of 6 hours at 00:00,
 * 06:00 etc.
 */
export interface Period {
  fromMs: number;
  barMs: number;
  bars: number;
}

export const endMs = ({ fromMs, barMs, bars }: Period): number => fromMs + barMs * bars;

/** The calls that share a rate limit: a key's calls from the portal's explorer, or its other calls. */
export interface Bucket {
  apiKeyId: number;
  fromExplorer: boolean;
}

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
  /** Selects only calls that are older. */
  before?: Position | undefined;
  /** The maximum number of searched calls. Default: the bound of the store. */
  scanned?: number | undefined;
}

export interface SearchedCalls {
  /** Newest first. */
  calls: StoredCall[];
  /** The oldest searched call; null if all calls were searched. */
  last: Position | null;
}

export type StatusClass = 2 | 3 | 4 | 5;

export interface CountedBars {
  counts: { bar: number; statusClass: StatusClass; calls: number }[];
  /** The time before which calls are not counted; null if all calls are counted. */
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
 * Stores the calls of the request log. With every store, their counts are in PostgreSQL. Reads throw `Unavailable`
 * while the store cannot be reached.
 */
export interface CallStore {
  /** The number of calls that the store has accepted and not written yet. */
  readonly waiting: number;
  /** The number of calls since the start that the store dropped because its queue was full. */
  readonly dropped: number;
  /** Accepts a batch and adds its calls to the counts. Does neither if it rejects. */
  write(batch: WrittenBatch): Promise<void>;
  /** Tries to write the waiting calls. Never rejects. */
  flush(): Promise<void>;
  search(callsOf: CallsOf, filter: CallFilter, page: Page): Promise<SearchedCalls>;
  /** Null for an unknown id, an expired call, and a call of another account. */
  find(callsOf: CallsOf, id: number): Promise<StoredCall | null>;
  /** Counts the calls that pass a filter in each bar of the period, which replaces the filter's times. */
  countBars(userId: number, filter: CallFilter, period: Period, scanned?: number): Promise<CountedBars>;
  /** The failed calls of an account by kind, last seen first. `isWhole` is false if not all calls were searched. */
  groupFailed(times: AccountTimes, scanned?: number): Promise<{ groups: FailedCalls[]; isWhole: boolean }>;
  /** The clients that used a key since `sinceMs`, latest first. `isWhole` is false if not all calls were searched. */
  clientsOf(apiKeyId: number, sinceMs: number): Promise<{ clients: KeyClient[]; isWhole: boolean }>;
  /**
   * The times after `sinceMs` at which a bucket's requests were admitted (docs/api/limits.md, Sliding windows), as
   * ascending Unix milliseconds. Returns the newest `atMost` times.
   */
  admittedSince(bucket: Bucket, sinceMs: number, atMost: number): Promise<number[]>;
  /** Deletes calls before a time, except in an engine with its own retention. Returns the number of deleted calls. */
  deleteBefore(timeMs: number): Promise<number>;
  /**
   * Deletes the calls of accounts; the store may continue after this resolves. Call it repeatedly, because calls that
   * are not written yet remain.
   */
  eraseAccounts(userIds: readonly number[]): Promise<void>;
  /**
   * Deletes the oldest calls until at most `maxBytes` are stored. Returns the size; null for a store with a limit of
   * its own.
   */
  deleteBeyond(maxBytes: number): Promise<number | null>;
}
