import { waitMsOf } from "./arguments.ts";
import type { CallOptions } from "./call-options.ts";
import { EventStream, type EventStreamQuery } from "./event-stream.ts";
import type { ListChangesQuery, ListEventsQuery } from "./generated/models.ts";
import { type Operation, operations } from "./generated/operations.ts";
import {
  Changes as ChangeMethods,
  type ChangePage,
  Events as EventMethods,
  type EventPage,
} from "./generated/resources.ts";
import { unexpected } from "./reading.ts";
import { traced } from "./response.ts";
import type { Sender } from "./sender.ts";

/** The longest delay that setTimeout accepts. Also used as a retry count that is never reached. */
const unlimited = 2 ** 31 - 1;

export class Changes extends ChangeMethods {
  /**
   * Yields the pages of changes after the position `after`, without end. Store `next` together with a page's changes. A
   * page without changes means that there was no change for `wait` seconds (30), so a loop can end there. After the
   * first page, temporary failures (rate limits, restarts of the service, lost connections) are retried without limit.
   * Rejects with a GoneError if the changes after `after` are no longer kept: then take an export.
   */
  follow(query?: ListChangesQuery, options?: CallOptions): AsyncGenerator<ChangePage, never, undefined> {
    return follow(this.sender, operations.listChanges, query, options);
  }
}

export class Events extends EventMethods {
  /** Yields the pages of events after the position `after`, without end, as `changes.follow` does. */
  follow(query?: ListEventsQuery, options?: CallOptions): AsyncGenerator<EventPage, never, undefined> {
    return follow(this.sender, operations.listEvents, query, options);
  }

  /**
   * Iterates over the events after the position `after` as they happen, without end, over one open connection. If the
   * connection is lost, the stream reconnects and continues after the last event. Store `position` of the stream
   * together with an event's data. `signal` ends the stream. `timeoutMs` is the longest silence, 45,000 by default.
   */
  stream(query?: EventStreamQuery, options?: CallOptions): EventStream {
    return new EventStream(this.sender, query, options ?? {}, unlimited);
  }
}

/**
 * Yields pages without end. The first request fails like any other call, so that a wrong address is noticed; later
 * requests are repeated, with the same position, until they succeed or fail permanently.
 */
async function* follow<P extends { next: number }>(
  sender: Sender,
  operation: Operation,
  query: object | null | undefined,
  options: CallOptions | undefined,
): AsyncGenerator<P, never, undefined> {
  let parameters: Record<string, unknown> = { limit: 1_000, wait: 30, ...query };
  for (let maxRetries = options?.maxRetries; ; maxRetries = unlimited) {
    const page = await traced(async () => {
      const url = sender.url(operation.path, parameters, options);
      const patient = { ...options, maxRetries };
      const attempts = sender.attempts(`GET ${url}`, patient, { maxRetryAfterMs: unlimited });
      const request = { method: "GET", url, operation, extraMs: waitMsOf(parameters), options: patient };
      const { body, response } = await sender.send(request, attempts);
      if (Number.isSafeInteger((body as P).next)) return body as P;
      throw unexpected(response, "The response has an unknown form: it has no next.");
    });
    yield page;
    parameters = { ...parameters, after: page.next };
  }
}
