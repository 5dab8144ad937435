import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allWindows, plans } from "../../testing/plans.ts";
import { type SharedLimitsOptions, SharedRateLimits } from "../shared-memory/shared-rate-limits.ts";
import { type LoadRecent, MemoryRateLimitStore } from "./memory-store.ts";
import type { RateDecision, RateWindow } from "./store.ts";

const names = ["minute", "hour", "day"] as const;
const lengths = { minute: 60, hour: 3_600, day: 86_400 };
const dayMs = 86_400_000;

const emptyLog: LoadRecent = async () => [];
const silent = { warn: () => {} };

const stores: [string, (options: SharedLimitsOptions) => MemoryRateLimitStore | SharedRateLimits][] = [
  ["the memory of a thread", (options) => new MemoryRateLimitStore(options)],
  [
    "memory that threads share",
    (options) => new SharedRateLimits(options, SharedRateLimits.allocate(options.windows, 16, 8_000)),
  ],
];

/** A slow model of the rule: keeps every admitted time and checks all of them for each request. */
class Model {
  readonly admittedTimes: number[] = [];

  within(window: RateWindow, nowMs: number): number[] {
    return this.admittedTimes.filter((time) => time + window.seconds * 1000 > nowMs);
  }

  wouldAdmit(windows: readonly RateWindow[], nowMs: number): boolean {
    return windows.every((window) => this.within(window, nowMs).length < window.limit);
  }
}

/** Windows small enough to fill, and gaps that often hit the edges of windows, in quarters of a millisecond. */
const anyWindows = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 12 }))
  .map((limits) => names.map((name, i): RateWindow => ({ name, seconds: lengths[name], limit: limits[i] ?? 1 })));
const anyGapMs = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 80_000 }).map((quarters) => quarters / 4) },
  { weight: 3, arbitrary: fc.constantFrom(59_999.75, 60_000, 60_000.25, 20_000, 30_000) },
  { weight: 2, arbitrary: fc.constantFrom(3_599_999.75, 3_600_000, 3_600_000.25, 1_800_000) },
  { weight: 1, arbitrary: fc.constantFrom(dayMs - 0.25, dayMs, dayMs + 0.25, dayMs / 2) },
);
const anyStep = fc.record({
  gapMs: anyGapMs,
  key: fc.integer({ min: 1, max: 2 }),
  wallJumpMs: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -dayMs, max: dayMs }) },
  ),
});

describe.each(stores)("the store in %s", (_, open) => {
  test("admits exactly what the rule allows, with exact remaining and reset values", async () => {
    await fc.assert(
      fc.asyncProperty(anyWindows, fc.array(anyStep, { minLength: 1, maxLength: 80 }), async (windows, steps) => {
        const clock = new FakeClock();
        const store = open({ windows: allWindows, clock, loadRecent: emptyLog, log: silent });
        const models = new Map([1, 2].map((key) => [key, new Model()]));
        for (const { gapMs, key, wallJumpMs } of steps) {
          clock.advance(gapMs);
          clock.jumpWall(wallJumpMs);
          const model = models.get(key) ?? new Model();
          const expected = model.wouldAdmit(windows, clock.monotonicMs());
          const decision = await store.admit(key, windows);

          expect(decision.admitted).toBe(expected);
          if (expected) model.admittedTimes.push(clock.monotonicMs());
          expectStates(decision, windows, model, clock);
          expectWait(decision, windows, model, clock);
        }
        for (const model of models.values()) expectNoWindowOver(model, windows);
      }),
      { numRuns: 1000 },
    );
  });

  function expectStates(decision: RateDecision, windows: readonly RateWindow[], model: Model, clock: FakeClock) {
    expect(decision.atMs).toBe(clock.nowMs());
    expect(decision.windows.map((state) => state.window)).toEqual(windows);
    for (const { window, remaining, resetAtMs } of decision.windows) {
      const within = model.within(window, clock.monotonicMs());
      expect(remaining).toBe(window.limit - within.length);
      const oldest = within[0] ?? clock.monotonicMs();
      expect(resetAtMs - clock.nowMs()).toBe(oldest + window.seconds * 1000 - clock.monotonicMs());
    }
  }

  function expectWait(decision: RateDecision, windows: readonly RateWindow[], model: Model, clock: FakeClock) {
    const wait = decision.retryAfterSeconds;
    if (decision.admitted) {
      expect(decision.refusedBy).toBeNull();
      expect(wait).toBe(0);
      return;
    }
    expect(Number.isInteger(wait)).toBe(true);
    expect(model.wouldAdmit(windows, clock.monotonicMs() + wait * 1000)).toBe(true);
    expect(model.wouldAdmit(windows, clock.monotonicMs() + (wait - 1) * 1000)).toBe(false);
    // The named window is still full just before the wait ends.
    const window = decision.refusedBy ?? expect.unreachable();
    expect(model.wouldAdmit([window], clock.monotonicMs() + (wait - 1) * 1000)).toBe(false);
  }

  function expectNoWindowOver({ admittedTimes: admitted }: Model, windows: readonly RateWindow[]) {
    for (const { seconds, limit } of windows)
      for (let i = limit; i < admitted.length; i++)
        expect((admitted[i] ?? 0) - (admitted[i - limit] ?? 0)).toBeGreaterThanOrEqual(seconds * 1000);
  }

  test("limits a standard key to 10 a minute, 100 an hour and 1,000 a day at any request rate", async () => {
    const clock = new FakeClock();
    const store = open({ windows: allWindows, clock, loadRecent: emptyLog, log: silent });
    const admittedTimes: number[] = [];
    for (let second = 0; second < 2 * 86_400; second += 3) {
      if ((await store.admit(1, plans.standard)).admitted) admittedTimes.push(second);
      clock.advance(3_000);
    }
    for (const { seconds, limit } of plans.standard) {
      const fullest = Math.max(
        ...admittedTimes.map((from) => admittedTimes.filter((time) => time >= from && time < from + seconds).length),
      );
      expect(fullest).toBe(limit);
    }
    expect(admittedTimes).toHaveLength(2_000);
  });

  test("limits a partner key to 200,000 requests a day", async () => {
    const clock = new FakeClock();
    const store = open({ windows: allWindows, clock, loadRecent: emptyLog, log: silent });
    await store.admit(1, plans.partner);
    for (let i = 1; i < 200_000; i++) {
      clock.advance(400);
      if (!(await store.admit(1, plans.partner)).admitted) expect.unreachable(`request ${i} was refused`);
    }
    clock.advance(400);
    const refusal = await store.admit(1, plans.partner);
    expect(refusal).toMatchObject({ admitted: false, refusedBy: { name: "day" }, retryAfterSeconds: 86_400 - 80_000 });
    clock.advance(6_400_000);
    expect((await store.admit(1, plans.partner)).admitted).toBe(true);
  });

  test("has no windows and no limit on plan internal", () => {
    const clock = new FakeClock();
    const store = open({
      windows: allWindows,
      clock,
      loadRecent: () => expect.unreachable(),
      log: silent,
    });
    for (let i = 0; i < 1000; i++)
      expect(store.admit(1, plans.internal)).toEqual({
        admitted: true,
        atMs: clock.nowMs(),
        windows: [],
        refusedBy: null,
        retryAfterSeconds: 0,
      });
    expect(store.size).toBe(0);
  });

  test("decides synchronously once a bucket is loaded", async () => {
    const store = open({
      windows: allWindows,
      clock: new FakeClock(),
      loadRecent: emptyLog,
      log: silent,
    });
    expect(store.admit(1, plans.standard)).toBeInstanceOf(Promise);
    await store.admit(1, plans.standard);
    expect(store.admit(1, plans.standard)).toMatchObject({ admitted: true });
  });
});

describe.each(stores)("in %s, after a restart", (_, open) => {
  test("earlier requests still count, to the millisecond, wherever the restart happens", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyWindows,
        fc.array(anyGapMs, { minLength: 1, maxLength: 60 }),
        fc.nat(60),
        async (windows, gaps, restartAfter) => {
          const clock = new FakeClock();
          const logged: number[] = [];
          const loadRecent: LoadRecent = async (_bucket, sinceMs) => logged.filter((time) => time > sinceMs);
          let store = open({ windows: allWindows, clock, loadRecent, log: silent });
          const steady = open({
            windows: allWindows,
            clock,
            loadRecent: emptyLog,
            log: silent,
          });
          for (const [i, gapMs] of gaps.entries()) {
            clock.advance(gapMs);
            if (i === restartAfter) store = open({ windows: allWindows, clock, loadRecent, log: silent });
            const decision = await store.admit(1, windows);
            expect(decision).toEqual(await steady.admit(1, windows));
            if (decision.admitted) logged.push(clock.nowMs());
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test("a hundred concurrent requests load the log once and respect its counts", async () => {
    const clock = new FakeClock();
    let loads = 0;
    const loadRecent: LoadRecent = async () => {
      loads++;
      return [7, 6, 5, 4].map((ago) => clock.nowMs() - ago * 1000);
    };
    const store = open({ windows: allWindows, clock, loadRecent, log: silent });
    const decisions = await Promise.all(Array.from({ length: 100 }, () => store.admit(1, plans.standard)));
    expect(loads).toBe(1);
    expect(decisions.filter((decision) => decision.admitted)).toHaveLength(6);
    expect(decisions[99]).toMatchObject({ refusedBy: { name: "minute" }, retryAfterSeconds: 53 });
  });

  test("the next request is admitted at the right time, if the log has more requests than the plan allows now", async () => {
    const clock = new FakeClock();
    const agos = Array.from({ length: 500 }, (_, i) => 500 - i);
    const loadRecent: LoadRecent = async () => agos.map((ago) => clock.nowMs() - ago * 100);
    const store = open({ windows: allWindows, clock, loadRecent, log: silent });
    const decision = await store.admit(1, plans.standard);
    // The tenth newest request of the minute was 1 s ago, the hundredth newest of the hour 10 s ago.
    expect(decision).toMatchObject({ admitted: false, refusedBy: { name: "hour" }, retryAfterSeconds: 3_590 });
    expect(decision.windows.map((state) => state.remaining)).toEqual([0, 0, 500]);
  });

  test("a log that cannot be read does not block requests; logged requests count once it can be read", async () => {
    const clock = new FakeClock();
    const warnings: unknown[] = [];
    let reachable = false;
    const loadRecent: LoadRecent = async (_bucket, sinceMs) => {
      if (!reachable) throw new Error("connection refused");
      // The log also has the requests that this store admitted, which it must not count twice.
      return [...before, ...admittedHere].filter((time) => time > sinceMs);
    };
    const before = Array.from({ length: 5 }, (_, i) => clock.nowMs() - 5_000 + i);
    const admittedHere: number[] = [];
    const store = open({
      windows: allWindows,
      clock,
      loadRecent,
      log: { warn: (...entry: unknown[]) => warnings.push(entry) },
    });
    const admit = async () => {
      const decision = await store.admit(1, plans.standard);
      if (decision.admitted) admittedHere.push(clock.nowMs());
      return decision;
    };

    expect((await admit()).windows[0]?.remaining).toBe(9);
    expect(warnings).toHaveLength(1);
    reachable = true;
    clock.advance(4_999);
    expect((await admit()).windows[0]?.remaining).toBe(8);
    clock.advance(1);
    // This request starts the retry and does not wait for it.
    expect((await admit()).windows[0]?.remaining).toBe(7);
    await new Promise(setImmediate);
    expect((await admit()).windows[0]?.remaining).toBe(1);
    clock.advance(50_004);
    // The minute has ended for the five earlier requests, but not for the requests of this process.
    expect((await admit()).windows[0]?.remaining).toBe(5);
  });

  test("a log that stays unreadable is retried every five seconds, not at every request", async () => {
    const clock = new FakeClock();
    let loads = 0;
    const loadRecent: LoadRecent = async () => {
      loads++;
      throw new Error("connection refused");
    };
    const store = open({ windows: allWindows, clock, loadRecent, log: silent });
    for (let second = 0; second < 60; second++) {
      await store.admit(1, plans.partner);
      await store.admit(1, plans.partner);
      await new Promise(setImmediate);
      clock.advance(1_000);
    }
    expect(loads).toBe(12);
  });
});

describe("the memory store", () => {
  test("drops a bucket whose windows are empty", async () => {
    const clock = new FakeClock();
    const store = new MemoryRateLimitStore({ windows: allWindows, clock, loadRecent: emptyLog, log: silent });
    for (let key = 1; key <= 100; key++) await store.admit(key, plans.standard);
    clock.advance(dayMs - 1);
    await store.admit(1, plans.standard);
    expect(store.size).toBe(100);
    clock.advance(10_000);
    await store.admit(1, plans.standard);
    expect(store.size).toBe(1);
  });

  test("above its limit evicts the buckets that have been idle longest; the log refills them", async () => {
    const clock = new FakeClock();
    const logged = new Map<number, number[]>();
    const loaded: number[] = [];
    const loadRecent: LoadRecent = async (bucket) => {
      loaded.push(bucket);
      return logged.get(bucket) ?? [];
    };
    // Room for a hundred keys, each with 16 timestamps and an overhead of 40.
    const store = new MemoryRateLimitStore({ windows: allWindows, clock, loadRecent, log: silent, maxTimes: 5_600 });
    await store.admit(150, plans.standard);
    clock.advance(5_000);
    for (let key = 1; key <= 150; key++) {
      await store.admit(key, plans.standard);
      logged.set(key, [clock.nowMs()]);
      clock.advance(10);
    }
    // No bucket is evicted before its requests have been answered and logged.
    clock.advance(5_000);
    await store.admit(150, plans.standard);
    expect(store.size).toBe(150);
    clock.advance(30_000);
    await store.admit(150, plans.standard);
    expect(store.size).toBe(100);

    loaded.length = 0;
    for (let key = 51; key <= 149; key++) await store.admit(key, plans.standard);
    expect(loaded).toEqual([]);
    expect((await store.admit(1, plans.standard)).windows.map((state) => state.remaining)).toEqual([8, 98, 998]);
    expect(loaded).toEqual([1]);
  });
});
