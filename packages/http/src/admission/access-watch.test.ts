import { ApiError } from "@beatmarket/foundation/errors.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AccessWatch, type Subscriber } from "./access-watch.ts";

const refusal = new ApiError(401, "unauthorized", "Invalid API key", "Revoked.");
let subscriber: Subscriber;
let clock: FakeClock;
let watch: AccessWatch;
let readmissions: number;
let failure: Error | null;
let refused: ApiError | null;

/** Begins to watch a call, and waits until its first check is done. */
const hold = async (names: string[], expiresAtMs?: number) => {
  const end = watch.hold({
    names,
    expiresAtMs,
    readmit: async () => {
      readmissions++;
      if (failure !== null) throw failure;
    },
    onRefused: (error) => {
      refused = error;
    },
  });
  await vi.advanceTimersByTimeAsync(999);
  return end;
};

beforeEach(async () => {
  vi.useFakeTimers();
  [readmissions, failure, refused] = [0, null, null];
  clock = new FakeClock();
  watch = new AccessWatch(clock);
  await watch.follow({
    subscribe: async (_, newSubscriber) => {
      subscriber = newSubscriber;
      return () => {};
    },
  });
});
afterEach(() => vi.useRealTimers());

test("a call that was admitted through a cached key is refused within a second if the key has been revoked", async () => {
  failure = refusal;
  await hold(["key 7"]);
  expect(refused).toBe(refusal);
});

test("a call whose access ended is refused within a second of a notice about its account, not of another notice", async () => {
  await hold(["key 7", "user 3"]);
  failure = refusal;
  subscriber.onNotification("key 8");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readmissions).toBe(1);
  subscriber.onNotification("user 3");
  await vi.advanceTimersByTimeAsync(999);
  expect(refused).toBe(refusal);
  const readmissionsBefore = readmissions;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readmissions).toBe(readmissionsBefore);
});

test("simultaneous notices cause at most two checks of a call, and a later notice causes another", async () => {
  await hold(["key 7"]);
  for (let notices = 0; notices < 10; notices++) subscriber.onNotification("key 7");
  await vi.advanceTimersByTimeAsync(2_000);
  expect([readmissions, refused]).toEqual([3, null]);
  failure = refusal;
  subscriber.onNotification("key 7");
  await vi.advanceTimersByTimeAsync(999);
  expect(refused).toBe(refusal);
});

test("a failed check is repeated until it returns a decision", async () => {
  await hold(["key 7"]);
  failure = new ApiError(503, "server_error", "Service unavailable", "Later.");
  subscriber.onNotification("key 7");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(refused).toBeNull();
  failure = refusal;
  await vi.advanceTimersByTimeAsync(999);
  expect(refused).toBe(refusal);
});

test("all calls are checked when notices may have been missed", async () => {
  await hold(["key 7"]);
  failure = refusal;
  subscriber.onListening();
  await vi.advanceTimersByTimeAsync(999);
  expect(refused).toBe(refusal);
});

test("a call is checked within a second after its key expires, without a notice", async () => {
  await hold(["key 7"], clock.nowMs() + 100 * 60_000);
  clock.advance(60 * 60_000);
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(readmissions).toBe(1);
  failure = refusal;
  clock.advance(40 * 60_000);
  await vi.advanceTimersByTimeAsync(40 * 60_000 + 999);
  expect(refused).toBe(refusal);
});

test("a call that has ended leaves no timer and no entry", async () => {
  const end = await hold(["key 7", "user 3"], clock.nowMs() + 60_000);
  subscriber.onNotification("key 7");
  end();
  await vi.advanceTimersByTimeAsync(120_000);
  // A remaining timer would have checked the call again.
  expect([readmissions, watch.size]).toEqual([1, 0]);
});
