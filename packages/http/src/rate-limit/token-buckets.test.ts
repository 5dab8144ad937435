import type { Clock } from "@beatmarket/foundation/clock.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SharedTokenBuckets } from "../shared-memory/shared-token-buckets.ts";
import { type TokenBucketRate, TokenBuckets, type Tokens } from "./token-buckets.ts";

const implementations: [string, (clock: Clock, rate: TokenBucketRate, max?: number) => Tokens][] = [
  ["the memory of a thread", (clock, rate, max) => new TokenBuckets(clock, rate, max)],
  [
    "memory that threads share",
    (clock, rate, max = 16) => new SharedTokenBuckets(clock, rate, SharedTokenBuckets.allocate(max)),
  ],
];

describe.each(implementations)("token buckets in %s", (_, open) => {
  it("allows a burst, and then the rate", () => {
    const clock = new FakeClock();
    const buckets = open(clock, { burst: 3, perSecond: 2 });
    const takeFive = () => Array.from({ length: 5 }, () => buckets.take("a")).filter(Boolean).length;
    expect(takeFive()).toBe(3);
    clock.advance(1_000);
    expect(takeFive()).toBe(2);
    clock.advance(3_600_000);
    expect(takeFive()).toBe(3);
  });

  it("never allows more than the burst and the rate together, in any sequence of calls", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ gapMs: fc.nat(2_000), tokens: fc.integer({ min: 1, max: 4 }) })), (requests) => {
        const clock = new FakeClock();
        const buckets = open(clock, { burst: 10, perSecond: 3 });
        let taken = 0;
        let elapsedMs = 0;
        for (const { gapMs, tokens } of requests) {
          clock.advance(gapMs);
          elapsedMs += gapMs;
          if (buckets.take("a", tokens)) taken += tokens;
          expect(taken).toBeLessThanOrEqual(10 + (elapsedMs / 1000) * 3 + 1e-6);
        }
      }),
    );
  });

  it("counts names separately, and evicts only the least recently used name", () => {
    const clock = new FakeClock();
    const buckets = open(clock, { burst: 1, perSecond: 1 }, 2);
    const take = (name: string) => {
      clock.advance(1);
      return buckets.take(name);
    };
    expect(["a", "b", "a", "b"].map(take)).toEqual([true, true, false, false]);
    expect(["c", "b", "a"].map(take)).toEqual([true, false, true]);
  });

  it("changes of the wall clock add no tokens", () => {
    const clock = new FakeClock();
    const buckets = open(clock, { burst: 1, perSecond: 1 });
    expect(buckets.take("a")).toBe(true);
    clock.jumpWall(-3_600_000);
    expect(buckets.take("a")).toBe(false);
    clock.jumpWall(7_200_000);
    expect(buckets.take("a")).toBe(false);
  });

  it("returned tokens can be taken again, and a debt must fill up first", () => {
    const clock = new FakeClock();
    const buckets = open(clock, { burst: 2, perSecond: 1 });
    expect([buckets.take("a"), buckets.take("a"), buckets.take("a")]).toEqual([true, true, false]);
    buckets.add("a", 1);
    expect([buckets.take("a"), buckets.take("a")]).toEqual([true, false]);
    buckets.add("a", -5);
    clock.advance(5_000);
    expect(buckets.take("a")).toBe(false);
    clock.advance(1_000);
    expect([buckets.take("a"), buckets.take("a")]).toEqual([true, false]);
    buckets.add("a", 100);
    expect([buckets.take("a"), buckets.take("a"), buckets.take("a")]).toEqual([true, true, false]);
  });
});
