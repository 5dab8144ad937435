import { BeatMarketError, type RateLimit } from "./errors.ts";
import type { WireResponse } from "./runtime/transport.ts";

/** Metadata of a response. */
export interface ResponseInfo {
  status: number;
  headers: Headers;
  /** Quote it when you report a problem; null if the response has none. */
  requestId: string | null;
  /** The version of the returned resource; for your own beat, the value for `ifMatch`. Null if the response has none. */
  etag: string | null;
  /** Null if the response has no such headers, as on a plan without limits. */
  rateLimit: RateLimit | null;
}

/** The metadata in a response's head. */
export class Head implements ResponseInfo {
  readonly status: number;
  readonly requestId: string | null;
  readonly etag: string | null;
  readonly rateLimit: RateLimit | null;
  readonly #wire: WireResponse;

  constructor(wire: WireResponse) {
    this.status = wire.status;
    this.requestId = wire.header("x-request-id");
    this.etag = wire.header("etag");
    this.rateLimit = rateLimitOf(wire);
    this.#wire = wire;
  }

  get headers(): Headers {
    return this.#wire.headers();
  }
}

function rateLimitOf({ header }: WireResponse): RateLimit | null {
  const limit = header("x-ratelimit-limit");
  if (limit === null) return null;
  const texts = [limit, header("x-ratelimit-remaining"), header("x-ratelimit-reset")];
  if (!texts.every((text) => text !== null && /^\d+$/.test(text))) return null;
  const [count = 0, remaining = 0, reset = 0] = texts.map(Number);
  return { limit: count, remaining, reset };
}

/** A result and the metadata of its response. */
export interface Result<T> {
  data: T;
  response: ResponseInfo;
}

/** The promise of a result. */
export interface APIPromise<T> extends Promise<T> {
  /** Adds status, headers, request id, ETag and rate limit. */
  withResponse(): Promise<Result<T>>;
}

/**
 * Runs a call, which passes its response to `keep`. Returns an ordinary promise, because `await` takes three more steps
 * for a subclass. It is the promise of an async function, because then the stack of an error shows the caller that
 * awaits it.
 */
export function promiseOf<T>(call: (keep: (response: ResponseInfo) => void) => Promise<T>): APIPromise<T> {
  let kept: ResponseInfo;
  const promise = call((response) => {
    kept = response;
  });
  const withResponse = async (): Promise<Result<T>> => ({ data: await promise, response: kept });
  return Object.assign(promise, { withResponse });
}

/**
 * Runs some work. Each BeatMarketError gets the stack of the call, which ends where `caller` was created instead of in
 * a timer or socket.
 */
export async function traced<T>(work: () => Promise<T>, caller: Error = new Error()): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BeatMarketError) {
      const frames = caller.stack?.split("\n").filter((line) => /^\s+at |@/.test(line)) ?? [];
      const stack = [`${error}`, ...frames].join("\n");
      Object.defineProperty(error, "stack", { value: stack, configurable: true, writable: true });
    }
    throw error;
  }
}
