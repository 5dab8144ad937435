import { member } from "./envelope.ts";
import type { EventPage, ListEventsQuery, WebhookEvent } from "./models.ts";
import { one, segment } from "./resources.ts";
import type { APIPromise } from "./response.ts";
import type { CallOptions, Sender } from "./sender.ts";
import { Stream } from "./streams.ts";

/** The account's events of the last 30 days: what webhooks deliver, for those without a public address. */
export class Events {
  readonly #sender: Sender;
  readonly #stream: Stream<EventPage>;

  constructor(sender: Sender) {
    this.#sender = sender;
    this.#stream = new Stream(sender, "/events", (parsed) => ({
      events: member(parsed, "events", "array"),
      next: member(parsed, "next", "number"),
    }));
  }

  /**
   * Lists the events behind the position `after`, of one `type` or of several by comma, at most `limit` (1 to 1,000, default
   * 100). `wait` (0 to 30 seconds) is how long the service waits for a first one; it extends `timeoutMs`.
   */
  list(query: ListEventsQuery = {}, options: CallOptions = {}): APIPromise<EventPage> {
    return this.#stream.list(query, options);
  }

  /** Gets an event. Rejects with a NotFoundError if the account has none with this id, or no longer. */
  get(eventId: string, options: CallOptions = {}): APIPromise<WebhookEvent> {
    return one(this.#sender, { path: `/events/${segment("event", eventId)}` }, "event", options);
  }

  /** Follows the events behind the position `after`, page by page and without end, as `changes.follow` does. */
  follow(query: ListEventsQuery = {}, options: CallOptions = {}): AsyncGenerator<EventPage, never, undefined> {
    return this.#stream.follow(query, options);
  }
}
