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

/** The number of streams of one account on one instance. */
export const maxStreamsOfAccount = 10;
/**
 * The interval of comments on a quiet stream: shorter than the idle timeouts of connections here (server.ts) and in
 * proxies.
 */
const heartbeatMs = 15_000;
/** The interval at which the key is checked, in case the notice of its end is lost (http/admission/access-watch.ts). */
const readmitMs = 30_000;
/**
 * The longest life of a stream. Streams end up to a fifth earlier, so that those opened together do not all reconnect
 * together.
 */
const lifetimeMs = 900_000;
/** How long after the end a client may read the rest, which is then discarded. */
const lingerMs = 1_000;
/** The delay after which the client reconnects. */
const retryMs = 3_000;
/** The delay after which a failed read is repeated, up to twice as long. */
const rereadMs = 1_000;
/** The largest number of a stream's events in memory, read and not yet written. */
const pageEvents = 100;
/** The largest number of bytes that are ready to be written. */
const bufferedBytes = 16_384;

const headers = {
  "content-type": eventStreamType,
  "cache-control": "no-store",
  // Otherwise nginx would buffer events.
  "x-accel-buffering": "no",
};

/** Event streams (docs/api/events.md, As a stream). A waiting stream holds neither a permit nor a database connection. */
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
   * Responds with the events after `Last-Event-ID`, else `after`, and with new ones. Throws 429 when the account has too
   * many streams.
   */
  async open(call: EventsCall): Promise<HttpResponse> {
    using resources = new DisposableStack();
    const reader = this.#feed.reader(call);
    const after = lastEventId(call.context.requestHeaders["last-event-id"]) ?? call.query.after;
    resources.defer(this.#acquire(call.caller.userId));
    const watch = resources.use(reader.watch());
    const first = await reader.read(after, pageEvents);

    const endMs = performance.now() + lifetimeMs * (1 - Math.random() / 5);
    const body = Readable.from(frames({ call, reader, watch, first, endMs }), {
      objectMode: false,
      highWaterMark: bufferedBytes,
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
    const held = resources.move();
    body.once("close", () => held.dispose());
    return { status: 200, headers, body, isLive: true };
  }

  /** Discards unread data, so that the server can stop. The streams themselves end when the feed stops. */
  stop(): void {
    setTimeout(() => {
      for (const body of this.#open) body.destroy();
    }, lingerMs).unref();
  }

  /** Takes one of the account's places. Returns a function that frees it. */
  #acquire(userId: number): () => void {
    const count = this.#countOf.get(userId) ?? 0;
    if (count >= maxStreamsOfAccount) throw tooManyStreams();
    this.#countOf.set(userId, count + 1);
    return () => {
      const left = (this.#countOf.get(userId) ?? 0) - 1;
      if (left > 0) this.#countOf.set(userId, left);
      else this.#countOf.delete(userId);
    };
  }
}

interface Stream {
  call: EventsCall;
  reader: EventReader;
  watch: Pick<Watch<unknown>, "next" | "pause" | "hasEnded">;
  first: EventPage;
  /** By the monotonic clock. */
  endMs: number;
}

/** The text of a stream. The next page is read when the client has taken the one before. */
async function* frames({ call, reader, watch, first, endMs }: Stream): AsyncGenerator<string> {
  yield `retry: ${retryMs}\n\n`;
  let page = first;
  let readmitAtMs = performance.now() + readmitMs;
  while (true) {
    for (const event of page.events) {
      if (watch.hasEnded) return;
      yield frame(event, call.context.version?.date ?? firstVersion.date);
    }
    const leftMs = endMs - performance.now();
    const isDue = page.isFull || (await watch.next(Math.min(heartbeatMs, leftMs)));
    if (watch.hasEnded || performance.now() >= endMs) return;
    if (performance.now() >= readmitAtMs) {
      if (!(await isAdmitted(call))) return;
      readmitAtMs = performance.now() + readmitMs;
    }
    const { next } = page;
    page = { events: [], next, isFull: false };
    if (!isDue) yield ":\n\n";
    else
      try {
        page = await reader.read(next, pageEvents);
      } catch (error) {
        // A stream waits out an overload, since reconnecting costs more than waiting.
        if (isRefusal(error)) return;
        yield ":\n\n";
        await watch.pause(rereadMs * (1 + Math.random()));
        page = { events: [], next, isFull: true };
      }
  }
}

const frame = ({ position, type, payload }: FeedEvent, version: string): string =>
  `id: ${position}\nevent: ${type}\ndata: ${eventJson(payload, version)}\n\n`;

/** Whether the key may still read events. True while the check fails, since then no events can be read either. */
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
