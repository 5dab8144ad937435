import { member } from "./envelope.ts";
import type { ChangePage, ListChangesQuery } from "./models.ts";
import type { APIPromise } from "./response.ts";
import type { CallOptions, Sender } from "./sender.ts";
import { Stream } from "./streams.ts";

/** The changes of the catalogue in the order of commits: what keeps a copy of it true. */
export class Changes {
  readonly #stream: Stream<ChangePage>;

  constructor(sender: Sender) {
    this.#stream = new Stream(sender, "/changes", (parsed) => ({
      changes: member(parsed, "changes", "array"),
      next: member(parsed, "next", "number"),
    }));
  }

  /**
   * Lists the changes behind the position `after`, at most `limit` (1 to 1,000, default 100). `wait` (0 to 30 seconds) is
   * how long the service waits for a first one; it extends `timeoutMs`. Rejects with a GoneError if what follows `after` is
   * no longer kept.
   */
  list(query: ListChangesQuery = {}, options: CallOptions = {}): APIPromise<ChangePage> {
    return this.#stream.list(query, options);
  }

  /**
   * Follows the changes behind the position `after`, page by page and without end: store `next` with what a page brings.
   * A page without changes says that there were none for `wait` seconds (30), so a loop can end there. Temporary
   * failures (rate limits, restarts of the service, lost connections) are waited out once a first page has come. Rejects
   * with a GoneError if what follows `after` is no longer kept: take an export.
   */
  follow(query: ListChangesQuery = {}, options: CallOptions = {}): AsyncGenerator<ChangePage, never, undefined> {
    return this.#stream.follow(query, options);
  }
}
