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
  /** Null on a plan without limits. */
  rateLimit: RateLimit | null;
}

/** Reads the metadata from the response headers. */
export function responseInfo({ status, header, headers }: WireResponse): ResponseInfo {
  const [limit = -1, remaining = -1, reset = -1] = ["limit", "remaining", "reset"].map((name) => {
    const text = header(`x-ratelimit-${name}`);
    return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
  });
  return {
    status,
    get headers() {
      return headers();
    },
    requestId: header("x-request-id"),
    etag: header("etag"),
    rateLimit: Math.min(limit, remaining, reset) < 0 ? null : { limit, remaining, reset },
  };
}

/** A result and the metadata of its response. */
export interface Result<T> {
  data: T;
  response: ResponseInfo;
}

/** The promise of a result. `withResponse` adds status, headers, request id and rate limit. */
export class APIPromise<T> extends Promise<T> {
  readonly #result: Promise<Result<T>>;

  /** @internal */
  constructor(work: () => Promise<Result<T>>) {
    const result = traced(work);
    super((resolve, reject) => void result.then(({ data }) => resolve(data), reject));
    this.#result = result;
  }

  /** `then` returns an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  withResponse(): Promise<Result<T>> {
    this.catch(() => {}); // The promise returned below rejects with the same error.
    return this.#result;
  }
}

/**
 * Runs some work. Its errors get the stack of the call, which ends where `caller` was created instead of in a timer or
 * socket.
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
