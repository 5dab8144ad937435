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

/** A held call after its first check. */
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
    subscribe: async (_, given) => {
      subscriber = given;
      return () => {};
    },
  });
});
afterEach(() => vi.useRealTimers());

test("a call that was admitted through a cached key is refused within a second", async () => {
  failure = refusal;
  await hold(["key 7"]);
  expect(refused).toBe(refusal);
});

test("a call is refused within a second of the notice about its key or account, but not about others", async () => {
  await hold(["key 7", "user 3"]);
  failure = refusal;
  subscriber.onNotification("key 8");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readmissions).toBe(1);
  subscriber.onNotification("user 3");
  await vi.advanceTimersByTimeAsync(999);
  expect(refused).toBe(refusal);
  const seen = readmissions;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readmissions).toBe(seen);
});

test("a call that may continue is checked once for all notices of a moment, and again for later ones", async () => {
  await hold(["key 7"]);
  for (let notices = 0; notices < 10; notices++) subscriber.onNotification("key 7");
  await vi.advanceTimersByTimeAsync(2_000);
  expect([readmissions, refused]).toEqual([3, null]);
  failure = refusal;
  subscriber.onNotification("key 7");
  await vi.advanceTimersByTimeAsync(999);
  expect(refused).toBe(refusal);
});

test("a check that fails is repeated until it is known whether the call may continue", async () => {
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

test("an expired key causes no notice; its call is checked within a second", async () => {
  await hold(["key 7"], clock.nowMs() + 100 * 60_000);
  clock.advance(60 * 60_000);
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(readmissions).toBe(1);
  failure = refusal;
  clock.advance(40 * 60_000);
  await vi.advanceTimersByTimeAsync(40 * 60_000 + 999);
  expect(refused).toBe(refusal);
});

test("nothing remains of a call that has ended", async () => {
  const end = await hold(["key 7", "user 3"], clock.nowMs() + 60_000);
  subscriber.onNotification("key 7");
  end();
  await vi.advanceTimersByTimeAsync(120_000);
  // A timer that remained would have checked it again.
  expect([readmissions, watch.size]).toEqual([1, 0]);
});
