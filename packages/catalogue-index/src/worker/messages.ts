import type { MessagePort } from "node:worker_threads";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import type { ListQuery, ListResult, SearchQuery, SearchResult, SimilarHit, SimilarQuery } from "../query.ts";
import type { SessionName } from "./session-name.ts";
import type { SnapshotOwner } from "./snapshot-file.ts";
import type { SnapshotOptions } from "./snapshots.ts";

// The messages between the index's thread and those that ask it. Plain data, copied between threads.

export type IndexQuery = { list: ListQuery } | { search: SearchQuery } | { similar: SimilarQuery };
export type IndexResult = ListResult | SearchResult | SimilarHit[];

export interface Question {
  id: number;
  /** The result must include all changes up to this version of the catalogue. */
  version: number;
  /** Null: the thread only catches up with the catalogue, and sends no reply. */
  query: IndexQuery | null;
}

/**
 * The database, which the thread needs first; then the questions of one turn of the event loop, the command to stop,
 * the port of another thread that asks, or whether a snapshot was fetched.
 */
export type ToThread =
  | { database: ThreadDatabase }
  | Question[]
  | "close"
  | { port: MessagePort }
  | { isFetched: boolean };

export type Reply =
  /**
   * `position`: the position in the change stream at which the result is exact; null between two steps of a catch-up,
   * when the rows have no single position.
   */
  { id: number; position: number | null; result: IndexResult } | { id: number; failure: Failure };

/** An error, in a form that can be sent between threads. */
export interface Failure {
  message: string;
  code?: string | undefined;
  stack?: string | undefined;
}

/** The state of the thread. */
export interface ThreadState {
  /** Whether the index is built and answers queries. */
  isReady: boolean;
  beats: number;
  position: number;
  /** The catalogue's version that the index last caught up with. */
  version: number;
  /** Size of the thread's heap and arrays. */
  bytes: number;
  /** How often the index was built from all rows. */
  builds: number;
  /** Duration of the last catch-up. */
  catchUpSeconds: number;
  /** When the snapshot on disk was made, in milliseconds since 1970; null without one. */
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
  /** Asks for a snapshot of this owner from the storage that all instances share. */
  fetch?: SnapshotOwner;
}

/** The data that the thread starts with, possibly before there is a database. */
export interface ThreadData {
  snapshots: SnapshotOptions;
  /** True after a crash, which the data of the snapshot may have caused. */
  withoutSnapshot: boolean;
}

export interface ThreadDatabase {
  address: DatabaseAddress;
  session: SessionName;
  /** Whether the main thread can fetch a snapshot from the shared storage. */
  sharesSnapshots: boolean;
}
