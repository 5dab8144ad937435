import { once } from "node:events";
import type { Readable } from "node:stream";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { LongPolls } from "@beatmarket/http/long-polls.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EventFeed, EventsCall } from "./feed.ts";
import type { EventPage } from "./queries.ts";
import { EventStreams } from "./streams.ts";

const minuteMs = 60_000;

/** The position of the newest event; the first event has 1. */
let newest: number;
let reads: number;
let failure: Error | null;
let padding: number;
let readmit: () => Promise<void>;
let polls: LongPolls<null>;
let client: AbortController;
let streams: EventStreams;

const readPage = async (after: number, limit: number): Promise<EventPage> => {
  reads++;
  if (failure !== null) throw failure;
  const count = Math.min(limit, newest - after);
  const events = Array.from({ length: count }, (_, index) => ({
    position: after + 1 + index,
    type: "beat.created",
    payload: JSON.stringify({ n: after + 1 + index, padding: "x".repeat(padding) }),
  }));
  return { events, next: after + count, isFull: count === limit };
};

const open = async (): Promise<Readable> => {
  const call = {
    caller: { userId: 7 },
    query: { after: 0, limit: 1, wait: 0 },
    closed: client.signal,
    context: { requestHeaders: {}, waitedMs: 0 },
    readmit: () => readmit(),
  };
  const { body } = await streams.open(call as unknown as EventsCall);
  return body as Readable;
};

/** A client that reads everything. */
const follow = async () => {
  const body = await open();
  const client = { text: "", hasEnded: false };
  body
    .setEncoding("utf8")
    .on("data", (chunk: string) => {
      client.text += chunk;
    })
    .on("end", () => {
      client.hasEnded = true;
    });
  await settle();
  return client;
};
const settle = () => vi.advanceTimersByTimeAsync(0);
const emitEvent = async () => {
  newest++;
  polls.notify(null);
  await settle();
};
const overloaded = new ApiError(503, "server_error", "Service unavailable", "Later.");

beforeEach(() => {
  vi.useFakeTimers();
  [newest, reads, failure, padding] = [0, 0, null, 0];
  readmit = async () => {};
  polls = new LongPolls();
  client = new AbortController();
  const reader = {
    read: readPage,
    watch: () => polls.watch(() => true, { closed: client.signal, context: { waitedMs: 0 } }),
  };
  streams = new EventStreams({ reader: () => reader } as unknown as Pick<EventFeed, "reader">);
});
afterEach(async () => {
  client.abort();
  await settle();
  vi.useRealTimers();
});

test("a quiet stream sends a comment every 15 seconds, without reads", async () => {
  const stream = await follow();
  await vi.advanceTimersByTimeAsync(45_000);
  expect(stream.text).toBe("retry: 3000\n\n:\n\n:\n\n:\n\n");
  expect(reads).toBe(1);
});

test("an event is written as soon as its notification arrives", async () => {
  const stream = await follow();
  await emitEvent();
  expect(stream.text).toBe('retry: 3000\n\nid: 1\nevent: beat.created\ndata: {"n":1,"padding":""}\n\n');
});

test("an event that occurs while a page is written follows the page", async () => {
  newest = 1;
  const opening = follow();
  newest = 2;
  polls.notify(null);
  const stream = await opening;
  await settle();
  expect(stream.text.match(/^id: .*$/gm)).toEqual(["id: 1", "id: 2"]);
});

test("a client that does not read holds one page of events in memory, and its stream ends after a time limit", async () => {
  [newest, padding] = [100_000, 1_000];
  const body = await open();
  body.read(0);
  await vi.advanceTimersByTimeAsync(5 * minuteMs);
  expect(reads).toBe(1);
  expect(body.readableLength).toBeLessThan(20_000);
  await vi.advanceTimersByTimeAsync(11 * minuteMs);
  expect(body.destroyed).toBe(true);
  expect(streams.size).toBe(0);
});

test("streams end after 12 to 15 minutes, at different times", async () => {
  const openStreams = await Promise.all(Array.from({ length: 10 }, follow));
  const endedCount = () => openStreams.filter(({ hasEnded }) => hasEnded).length;
  await vi.advanceTimersByTimeAsync(12 * minuteMs - 1_000);
  expect(endedCount()).toBe(0);
  const counts = new Set<number>();
  for (let second = 0; second < 182; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    counts.add(endedCount());
  }
  await settle();
  expect(endedCount()).toBe(10);
  expect(counts.size).toBeGreaterThan(3);
  expect(streams.size).toBe(0);
  expect(polls.size).toBe(0);
});

test("the stream of a revoked key ends within a minute, without later events", async () => {
  const stream = await follow();
  readmit = async () => {
    throw new ApiError(401, "unauthorized", "Invalid API key", "Revoked.");
  };
  await vi.advanceTimersByTimeAsync(31_000);
  await emitEvent();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(stream.hasEnded).toBe(true);
  expect(stream.text).not.toContain("id:");
});

test("a stream continues after an overload without missing an event", async () => {
  const stream = await follow();
  failure = overloaded;
  readmit = async () => {
    throw overloaded;
  };
  await emitEvent();
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect(stream.hasEnded).toBe(false);
  expect(reads).toBeLessThan(70);
  failure = null;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stream.text.match(/^id: .*$/gm)).toEqual(["id: 1"]);
});

test("a client that disconnects no longer counts as a stream", async () => {
  const body = await open();
  body.resume();
  await settle();
  client.abort();
  const closeEvent = once(body, "close");
  body.destroy();
  await closeEvent;
  expect(streams.size).toBe(0);
  expect(polls.size).toBe(0);
});

test("a stream that could not begin does not count", async () => {
  failure = overloaded;
  for (let n = 0; n < 20; n++) await expect(open()).rejects.toBe(overloaded);
  expect(polls.size).toBe(0);
});

test("stopping ends streams immediately, and discards unread data after a second", async () => {
  const quiet = await follow();
  newest = 100_000;
  const unread = await open();
  unread.read(0);
  await settle();
  polls.stop();
  streams.stop();
  await settle();
  expect(quiet.hasEnded).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(unread.destroyed).toBe(true);
});
