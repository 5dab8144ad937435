import type { WireResponse } from "./transport/transport.ts";

/** The rate limit with the fewest requests left. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** Unix time in seconds at which the next request becomes available. */
  reset: number;
}

/** Metadata of a response. */
export interface ResponseInfo {
  status: number;
  headers: Headers;
  /** Quote it when you report a problem; null if the response has none. */
  requestId: string | null;
  /** The version of what was returned: for a beat of your own, what `ifMatch` takes. Null if the response has none. */
  etag: string | null;
  /** Null on a plan without limits. */
  rateLimit: RateLimit | null;
}

/** Reads the metadata from the response headers. */
export const responseInfo = ({ status, header, headers }: WireResponse): ResponseInfo => ({
  status,
  get headers() {
    return headers();
  },
  requestId: header("x-request-id"),
  etag: header("etag"),
  rateLimit: rateLimitOf(header),
});

function rateLimitOf(header: WireResponse["header"]): RateLimit | null {
  const limit = wholeNumber(header("x-ratelimit-limit"));
  const remaining = wholeNumber(header("x-ratelimit-remaining"));
  const reset = wholeNumber(header("x-ratelimit-reset"));
  return limit === null || remaining === null || reset === null ? null : { limit, remaining, reset };
}

const wholeNumber = (text: string | null): number | null => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

/** The promise of a result. `withResponse` adds status, headers, request id and rate limit. */
export class APIPromise<T> extends Promise<T> {
  readonly #whole: Promise<{ data: T; response: ResponseInfo }>;

  constructor(whole: Promise<{ data: T; response: ResponseInfo }>) {
    super((resolve, reject) => {
      whole.then(({ data }) => resolve(data), reject);
    });
    this.#whole = whole;
  }

  /** `then` returns an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  withResponse(): Promise<{ data: T; response: ResponseInfo }> {
    this.catch(() => {}); // The promise returned below rejects with the same error.
    return this.#whole;
  }
}
