import type { ExtraHeaders } from "./headers.ts";

/** A value of a query. A Date is sent in ISO 8601, a list as values separated by commas. */
export type QueryValue = string | number | boolean | Date | null | undefined;
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** Options of one call, which override the client's. */
export interface CallOptions {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Aborts the call with all its attempts and waits: the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Sent in addition to the client's headers. They can replace headers of the client's option `headers`, but no others. */
  headers?: ExtraHeaders | undefined;
  /** Sent in addition to the method's own query, on every page of a list. */
  query?: Query | undefined;
  /** Fields that the JSON body has in addition to the method's own. */
  body?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a call that creates something. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters. To repeat a call safely after a restart, choose and store a key of your own.
   * Default: a random key.
   */
  idempotencyKey?: string | undefined;
}

/** Options of a call that changes something. */
export interface EditOptions extends CreateOptions {
  /**
   * The `etag` of a response with the beat: the change is made only if the beat is unchanged since. Null:
   * unconditionally.
   */
  ifMatch?: string | null | undefined;
}
