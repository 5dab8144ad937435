import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import type { ListQuery, ListResult, SearchQuery, SearchResult, SimilarHit, SimilarQuery } from "../query.ts";
import type { SessionName } from "./session-name.ts";
import type { SnapshotOptions } from "./snapshots.ts";

// What goes between the main thread and the index's own. Plain data, copied on its way.

export type IndexQuery = { list: ListQuery } | { search: SearchQuery } | { similar: SimilarQuery };
export type IndexResult = ListResult | SearchResult | SimilarHit[];

export interface Question {
  id: number;
  /** The catalogue's version under which it was asked: the result must be as of no earlier one. */
  version: number;
  /** Null asks for nothing but to be caught up. */
  query: IndexQuery | null;
}

/** The questions of one turn of the event loop, or the order to end. */
export type ToThread = Question[] | "close";

export type Reply =
  /** `position`: of the change stream, exactly as of which it is; null: between two. */
  { id: number; position: number | null; result: IndexResult } | { id: number; failure: Failure };

/** An error, as it crosses threads. */
export interface Failure {
  message: string;
  code?: string | undefined;
  stack?: string | undefined;
}

/** The state of the thread. */
export interface ThreadState {
  /** Whether queries are answered: it is built. */
  isReady: boolean;
  beats: number;
  position: number;
  /** The catalogue's version that it was last caught up with. */
  version: number;
  /** Of the thread: its heap and its arrays. */
  bytes: number;
  /** How often it was built from all rows. */
  builds: number;
  /** Seconds that the last catch-up took. */
  catchUpSeconds: number;
  /** When the snapshot on disk was made, in milliseconds since 1970; null: there is none. */
  snapshotAtMs: number | null;
}

export interface LogLine {
  level: "info" | "warn" | "error";
  text: string;
  failure?: Failure;
}

export interface FromThread {
  replies?: Reply[];
  state?: ThreadState;
  log?: LogLine;
}

/** What the thread starts with. */
export interface ThreadData {
  address: DatabaseAddress;
  session: SessionName;
  snapshots: SnapshotOptions;
  /** The thread before this one crashed, perhaps by what it had read from the snapshot. */
  withoutSnapshot: boolean;
}
