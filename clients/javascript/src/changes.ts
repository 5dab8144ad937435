import { member } from "./envelope.ts";
import { follow, type Patience } from "./follow.ts";
import type { ChangePage, ListChangesQuery } from "./models.ts";
import { APIPromise, type ResponseInfo } from "./response.ts";
import type { CallOptions, Sender } from "./sender.ts";

/** The changes of the catalogue in the order of commits: what keeps a copy of it true. */
export class Changes {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /**
   * Lists the changes behind the position `after`, at most `limit` (1 to 1,000, default 100). `wait` (0 to 30 seconds) is
   * how long the service waits for a first one; it extends `timeoutMs`. Rejects with a GoneError if what follows `after` is
   * no longer kept.
   */
  list(query: ListChangesQuery = {}, options: CallOptions = {}): APIPromise<ChangePage> {
    return new APIPromise(this.#read(query, options));
  }

  /**
   * Follows the changes behind the position `after`, page by page and without end: store `next` with what a page brings.
   * A page without changes says that there were none for `wait` seconds (30), so a loop can end there. Temporary
   * failures (rate limits, restarts of the service, lost connections) are waited out once a first page has come. Rejects
   * with a GoneError if what follows `after` is no longer kept: take an export.
   */
  follow(query: ListChangesQuery = {}, options: CallOptions = {}): AsyncGenerator<ChangePage, never, undefined> {
    const { after, ...rest } = { limit: 1_000, wait: 30, ...query };
    const read = async (position: number | undefined, patience: Patience): Promise<ChangePage> =>
      (await this.#read({ ...rest, after: position }, options, patience)).data;
    return follow(read, after ?? undefined);
  }

  async #read(
    query: ListChangesQuery,
    options: CallOptions,
    patience?: Patience,
  ): Promise<{ data: ChangePage; response: ResponseInfo }> {
    const parsed = await this.#sender.send({
      method: "GET",
      url: this.#sender.url("/changes", query),
      waitMs: (query.wait ?? 0) * 1_000,
      maxRetryAfterMs: patience?.maxRetryAfterMs,
      options: { ...options, maxRetries: patience?.maxRetries ?? options.maxRetries },
    });
    const data = {
      changes: member<ChangePage["changes"]>(parsed, "changes", "array"),
      next: member<number>(parsed, "next", "number"),
    };
    return { data, response: parsed.response };
  }
}
