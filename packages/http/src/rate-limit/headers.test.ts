import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { describe, expect, test } from "vitest";
import { allWindows, plans } from "../../testing/plans.ts";
import { rateLimitExceeded, rateLimitHeaders } from "./headers.ts";
import { MemoryRateLimitStore } from "./memory-store.ts";
import type { RateDecision } from "./store.ts";

const [minute, hour, day] = plans.standard;
if (minute === undefined || hour === undefined || day === undefined)
  throw new Error("Plan standard must have three windows.");

const atMs = Date.UTC(2026, 0, 1);

/** A decision with these remaining requests and seconds until the reset, for minute, hour and day. */
function decision(remaining: [number, number, number], freesInSeconds: [number, number, number]): RateDecision {
  const windows = [minute, hour, day].map((window, i) => ({
    window: window ?? expect.unreachable(),
    remaining: remaining[i] ?? 0,
    resetAtMs: atMs + (freesInSeconds[i] ?? 0) * 1000,
  }));
  return { admitted: true, atMs, windows, refusedBy: null, retryAfterSeconds: 0 };
}

const reset = (seconds: number): string => String(atMs / 1000 + seconds);

describe("X-RateLimit headers", () => {
  test("describe the window with the fewest remaining requests", () => {
    expect(rateLimitHeaders(decision([9, 99, 999], [60, 3_600, 86_400]))).toMatchObject({
      "X-RateLimit-Limit": "10",
      "X-RateLimit-Remaining": "9",
      "X-RateLimit-Reset": reset(60),
    });
    expect(rateLimitHeaders(decision([9, 3, 400], [60, 1_200, 7_000]))).toMatchObject({
      "X-RateLimit-Limit": "100",
      "X-RateLimit-Remaining": "3",
      "X-RateLimit-Reset": reset(1_200),
    });
  });

  test("describe the longer window on a tie", () => {
    expect(rateLimitHeaders(decision([5, 5, 400], [60, 1_200, 7_000]))["X-RateLimit-Limit"]).toBe("100");
    expect(rateLimitHeaders(decision([5, 8, 5], [60, 1_200, 7_000]))["X-RateLimit-Limit"]).toBe("1000");
    expect(rateLimitHeaders(decision([0, 0, 0], [60, 1_200, 7_000]))["X-RateLimit-Limit"]).toBe("1000");
  });

  test("round the reset up, so that a request in that second is admitted", () => {
    expect(rateLimitHeaders(decision([0, 50, 500], [0.001, 60, 60]))["X-RateLimit-Reset"]).toBe(reset(1));
    expect(rateLimitHeaders(decision([0, 50, 500], [22.001, 60, 60]))["X-RateLimit-Reset"]).toBe(reset(23));
  });
});

test("RateLimit-Policy and RateLimit list all windows in the syntax of the IETF draft", () => {
  const headers = rateLimitHeaders(decision([9, 42, 999], [37.2, 3_600, 86_399.5]));
  expect(headers["RateLimit-Policy"]).toBe('"minute";q=10;w=60, "hour";q=100;w=3600, "day";q=1000;w=86400');
  expect(headers.RateLimit).toBe('"minute";r=9;t=38, "hour";r=42;t=3600, "day";r=999;t=86400');
});

test("plan internal has no rate-limit headers", () => {
  const store = new MemoryRateLimitStore({
    windows: allWindows,
    clock: new FakeClock(),
    loadRecent: async () => [],
    log: { warn: () => {} },
  });
  const admitted = store.admit(1, plans.internal);
  if (admitted instanceof Promise) expect.unreachable();
  else expect(rateLimitHeaders(admitted)).toEqual({});
});

describe("a 429 response", () => {
  const refused = (retryAfterSeconds: number): RateDecision => ({
    ...decision([0, 50, 500], [retryAfterSeconds, 60, 60]),
    admitted: false,
    refusedBy: minute,
    retryAfterSeconds,
  });

  test("names the window and the wait, in words and in Retry-After", () => {
    const error = rateLimitExceeded(refused(23));
    expect(error).toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
      details: "10 requests per minute are allowed for this key; try again in 23 seconds.",
      headers: { "Retry-After": "23" },
      refusedBy: "limit:minute",
    });
  });

  test.each([
    [1, "1 second"],
    [119, "119 seconds"],
    [600, "600 seconds (about 10 minutes)"],
    [80_000, "80000 seconds (about 22 hours)"],
  ])("with a wait of %i s says: try again in %s", (seconds, words) => {
    expect(rateLimitExceeded(refused(seconds)).details).toContain(`try again in ${words}.`);
  });

  test("is never built for an admitted request", () => {
    expect(() => rateLimitExceeded(decision([9, 99, 999], [60, 60, 60]))).toThrow();
  });
});
