import { Readable } from "node:stream";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { Watch } from "@beatmarket/http/long-polls.ts";
import { eventStreamType } from "@beatmarket/http/negotiation/forms.ts";
import { firstVersion } from "../../access/versions.ts";
import { eventJson } from "../webhooks/outbox.ts";
import type { EventFeed, EventReader, EventsCall } from "./feed.ts";
import type { EventPage, FeedEvent } from "./queries.ts";

/** The maximum number of streams of one account on one instance. */
export const maxStreamsOfAccount = 10;
/**
 * The interval of comments on a quiet stream: shorter than the idle time-outs of proxies and of this server
 * (packages/http/src/transport/server.ts).
 */
const heartbeatMs = 15_000;
/**
 * The interval at which the key is checked, in case the notification of its revocation is lost
 * (packages/http/src/admission/access-watch.ts).
 */
const readmitMs = 30_000;
/**
 * The maximum lifetime of a stream. Streams end up to a fifth earlier, so that streams with one start time reconnect at
 * different times.
 */
const lifetimeMs = 900_000;
/** The time after the end of a stream in which a client may read the rest. */
const lingerMs = 1_000;
/** The delay after which the client reconnects. */
const reconnectDelayMs = 3_000;
/** The delay before a failed read is repeated; at random up to twice as long. */
const readRetryMs = 1_000;
/** The maximum number of events of a stream that are read and not yet written. */
const maxPageEvents = 100;
/** The maximum number of bytes that are ready to be written. */
const maxBufferedBytes = 16_384;

const headers = {
  "content-type": eventStreamType,
  "cache-control": "no-store",
  // Otherwise nginx would buffer events.
  "x-accel-buffering": "no",
};

/**
 * Event streams (docs/api/events.md, As a stream). A waiting stream holds neither a permit nor a database connection.
 */
export class EventStreams {
  readonly #feed: Pick<EventFeed, "reader">;
  readonly #countOf = new Map<number, number>();
  readonly #open = new Set<Readable>();

  constructor(feed: Pick<EventFeed, "reader">) {
    this.#feed = feed;
  }

  /** The number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Responds with the events after `Last-Event-ID`, else `after`, and then with new events. Throws 429 when the account
   * has too many streams.
   */
  async open(call: EventsCall): Promise<HttpResponse> {
    using resources = new DisposableStack();
    const reader = this.#feed.reader(call);
    const after = lastEventId(call.context.requestHeaders["last-event-id"]) ?? call.query.after;
    resources.defer(this.#acquire(call.caller.userId));
    const watch = resources.use(reader.watch());
    const first = await reader.read(after, maxPageEvents);

    const endMs = performance.now() + lifetimeMs * (1 - Math.random() / 5);
    const body = Readable.from(frames({ call, reader, watch, first, endMs }), {
      objectMode: false,
      highWaterMark: maxBufferedBytes,
    });
    this.#open.add(body);
    let timer = setTimeout(() => body.destroy(), endMs + lingerMs - performance.now());
    // When the client's access ends, unread data is discarded.
    const endSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => body.destroy(), lingerMs);
    };
    call.closed.addEventListener("abort", endSoon);
    resources.defer(() => {
      clearTimeout(timer);
      call.closed.removeEventListener("abort", endSoon);
      this.#open.delete(body);
    });
    const resourcesOfStream = resources.move();
    body.once("close", () => resourcesOfStream.dispose());
    return { status: 200, headers, body, isLive: true };
  }

  /** Discards unread data, so that the server can stop. The streams themselves end when the feed stops. */
  stop(): void {
    setTimeout(() => {
      for (const body of this.#open) body.destroy();
    }, lingerMs).unref();
  }

  /** Counts a stream of the account. Returns a function that ends the count. Throws 429 above the limit. */
  #acquire(userId: number): () => void {
    const count = this.#countOf.get(userId) ?? 0;
    if (count >= maxStreamsOfAccount) throw tooManyStreams();
    this.#countOf.set(userId, count + 1);
    return () => {
      const remaining = (this.#countOf.get(userId) ?? 0) - 1;
      if (remaining > 0) this.#countOf.set(userId, remaining);
      else this.#countOf.delete(userId);
    };
  }
}

interface Stream {
  call: EventsCall;
  reader: EventReader;
  watch: Pick<Watch<unknown>, "next" | "pause" | "hasEnded">;
  first: EventPage;
  /** Monotonic time. */
  endMs: number;
}

/** The text of a stream. Reads the next page only after the client has read the previous page. */
async function* frames({ call, reader, watch, first, endMs }: Stream): AsyncGenerator<string> {
  yield `retry: ${reconnectDelayMs}\n\n`;
  let page = first;
  let readmitAtMs = performance.now() + readmitMs;
  while (true) {
    for (const event of page.events) {
      if (watch.hasEnded) return;
      yield frame(event, call.context.version?.date ?? firstVersion.date);
    }
    const remainingMs = endMs - performance.now();
    const mayHaveEvents = page.isFull || (await watch.next(Math.min(heartbeatMs, remainingMs)));
    if (watch.hasEnded || performance.now() >= endMs) return;
    if (performance.now() >= readmitAtMs) {
      if (!(await isAdmitted(call))) return;
      readmitAtMs = performance.now() + readmitMs;
    }
    const { next } = page;
    page = { events: [], next, isFull: false };
    if (!mayHaveEvents) yield ":\n\n";
    else
      try {
        page = await reader.read(next, maxPageEvents);
      } catch (error) {
        if (isRefusal(error)) return;
        // During an overload the stream waits, since a new connection costs more.
        yield ":\n\n";
        await watch.pause(readRetryMs * (1 + Math.random()));
        page = { events: [], next, isFull: true };
      }
  }
}

const frame = ({ position, type, payload }: FeedEvent, version: string): string =>
  `id: ${position}\nevent: ${type}\ndata: ${eventJson(payload, version)}\n\n`;

/** Whether the key may still read events. True if the check itself fails: reads of events fail then, too. */
async function isAdmitted(call: EventsCall): Promise<boolean> {
  try {
    await call.readmit();
    return true;
  } catch (error) {
    return !isRefusal(error);
  }
}

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

function lastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  const id = Number(/^\d+$/.exec(String(header))?.[0] ?? Number.NaN);
  if (Number.isSafeInteger(id)) return id;
  throw invalidRequest(
    `The Last-Event-ID header must be the id of an event of this stream, a number. Given: ${JSON.stringify(quoted(String(header)))}.`,
    "Last-Event-ID",
  );
}

const tooManyStreams = (): ApiError =>
  new ApiError(
    429,
    "rate_limit_exceeded",
    "Too many event streams",
    `This account has ${maxStreamsOfAccount} event streams open. Close one, or share one between its readers.`,
    { headers: { "retry-after": "60" }, refusedBy: "limit:streams" },
  );
