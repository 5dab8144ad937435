import { Readable } from "node:stream";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { Watch } from "@beatmarket/http/long-polls.ts";
import { eventStreamType } from "@beatmarket/http/negotiation/forms.ts";
import type { EventFeed, EventReader, EventsCall } from "./feed.ts";
import type { EventPage, FeedEvent } from "./queries.ts";

/** Of one account, on one instance. */
export const maxStreamsOfAccount = 10;
/** A quiet stream has a comment this often: less than the idle timeouts of connections here (server.ts) and in proxies. */
const heartbeatMs = 15_000;
/** The key is checked again after this, should the notice of its end be lost (http/admission/access-watch.ts). */
const readmitMs = 30_000;
/** A stream ends after this, or up to a fifth earlier, so that those opened together do not all come back together. */
const lifetimeMs = 900_000;
/** What the client has not read this long after the end is discarded. */
const lingerMs = 1_000;
/** The client comes back after this. */
const retryMs = 3_000;
/** A failed read is tried again after this, or up to twice as late. */
const rereadMs = 1_000;
/** The most events of a stream that are in memory: read, and not written yet. */
const pageEvents = 100;
/** The most bytes that are made ready to be written. */
const bufferedBytes = 16_384;

const headers = {
  "content-type": eventStreamType,
  "cache-control": "no-store",
  // nginx would hold events back in its buffer.
  "x-accel-buffering": "no",
};

/** Event streams (docs/api/events.md, As a stream). One that waits holds neither a permit nor a database connection. */
export class EventStreams {
  readonly #feed: Pick<EventFeed, "reader">;
  readonly #countOf = new Map<number, number>();
  readonly #open = new Set<Readable>();

  constructor(feed: Pick<EventFeed, "reader">) {
    this.#feed = feed;
  }

  /** How many are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Responds with the events behind `Last-Event-ID`, else `after`, and with those to come. 429 when the account has too many streams. */
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
    // What a client that reads nothing has not taken is discarded when its access ends.
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

  /** Discards what clients do not read, so that the server can stop. Other streams end when the feed stops. */
  stop(): void {
    setTimeout(() => {
      for (const body of this.#open) body.destroy();
    }, lingerMs).unref();
  }

  /** Takes one of the account's places. Returns what gives it back. */
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
  /** Monotonic. */
  endMs: number;
}

/** The text of a stream. The next page is read when its reader has taken the one before. */
async function* frames({ call, reader, watch, first, endMs }: Stream): AsyncGenerator<string> {
  yield `retry: ${retryMs}\n\n`;
  let page = first;
  let readmitAtMs = performance.now() + readmitMs;
  while (true) {
    for (const event of page.events) {
      if (watch.hasEnded) return;
      yield frame(event);
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
        // A stream outlives an overload, since opening it again costs more than waiting.
        if (isRefusal(error)) return;
        yield ":\n\n";
        await watch.pause(rereadMs * (1 + Math.random()));
        page = { events: [], next, isFull: true };
      }
  }
}

const frame = ({ position, type, payload }: FeedEvent): string =>
  `id: ${position}\nevent: ${type}\ndata: ${payload}\n\n`;

/** Whether the key may still read events. True while that cannot be found out: then nothing can be read either. */
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
