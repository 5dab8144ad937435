import { APIPromise, type ResponseInfo } from "./response.ts";
import type { CallOptions, ParsedResponse, Query, Sender } from "./sender.ts";

/** The greatest delay of a timer; as a number of retries, without end. */
const unlimited = 2 ** 31 - 1;

type StreamQuery = Query & { after?: number | null | undefined; wait?: number | null | undefined };

/** How patiently a page is asked for; absent members are as the call and the client say. */
interface Patience {
  maxRetries?: number;
  maxRetryAfterMs?: number;
}

/** A resource whose pages name the position to go on from, and that can be waited for. */
export class Stream<P extends { next: number }> {
  readonly #sender: Sender;
  readonly #path: string;
  readonly #read: (parsed: ParsedResponse) => P;

  constructor(sender: Sender, path: string, read: (parsed: ParsedResponse) => P) {
    this.#sender = sender;
    this.#path = path;
    this.#read = read;
  }

  list(query: StreamQuery, options: CallOptions): APIPromise<P> {
    return new APIPromise(this.#page(query, options));
  }

  /**
   * Pages without end. The first request fails as every other call does, so that a wrong address is seen; later ones are
   * repeated, with the same position, until they succeed or fail for good.
   */
  async *follow(query: StreamQuery, options: CallOptions): AsyncGenerator<P, never, undefined> {
    const its = { limit: 1_000, wait: 30, ...query };
    let page = await this.#page(its, options, { maxRetryAfterMs: unlimited });
    for (;;) {
      yield page.data;
      const patience = { maxRetries: unlimited, maxRetryAfterMs: unlimited };
      page = await this.#page({ ...its, after: page.data.next }, options, patience);
    }
  }

  async #page(
    query: StreamQuery,
    options: CallOptions,
    { maxRetries = options.maxRetries, maxRetryAfterMs }: Patience = {},
  ): Promise<{ data: P; response: ResponseInfo }> {
    const parsed = await this.#sender.send({
      method: "GET",
      url: this.#sender.url(this.#path, query),
      waitMs: (query.wait ?? 0) * 1_000,
      maxRetryAfterMs,
      options: { ...options, maxRetries },
    });
    return { data: this.#read(parsed), response: parsed.response };
  }
}
