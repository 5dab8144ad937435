import type { Clock } from "@beatmarket/foundation/clock.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SharedBadKeys } from "../shared-memory/shared-bad-keys.ts";
import { type BadKeys, BadKeyThrottle } from "./bad-key-throttle.ts";

const throttles: [string, (clock: Clock, networks?: number) => BadKeys][] = [
  ["the memory of a thread", (clock, networks) => new BadKeyThrottle(clock, networks)],
  [
    "memory that threads share",
    (clock, networks) => new SharedBadKeys(clock, SharedBadKeys.allocate(networks), networks),
  ],
];

/** Records `times` failures. Returns whether all were allowed. */
const areAllowed = (throttle: BadKeys, address: string, times: number): boolean =>
  Array.from({ length: times }, () => throttle.recordFailure(address)).every((answer) => !answer.refused);

describe.each(throttles)("the bad-key throttle in %s", (_, open) => {
  test("allows 100 failures a minute, refuses further failures, and reports in how many seconds the next is allowed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2_000 }), fc.constantFrom(59_999, 60_000)), {
          minLength: 150,
          maxLength: 400,
        }),
        (gaps) => {
          const clock = new FakeClock();
          const throttle = open(clock);
          const passed: number[] = [];
          for (const gapMs of gaps) {
            clock.advance(gapMs);
            const within = passed.filter((time) => time + 60_000 > clock.nowMs());
            const { refused, retryAfterSeconds } = throttle.recordFailure("192.0.2.7");
            expect(refused).toBe(within.length >= 100);
            if (!refused) passed.push(clock.nowMs());
            const waitMs = refused ? (within[0] ?? 0) + 60_000 - clock.nowMs() : 0;
            expect(retryAfterSeconds).toBe(Math.ceil(waitMs / 1000));
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test("counts addresses separately", () => {
    const throttle = open(new FakeClock());
    expect(areAllowed(throttle, "192.0.2.7", 100)).toBe(true);
    expect(throttle.recordFailure("192.0.2.7")).toEqual({ refused: true, retryAfterSeconds: 60 });
    expect(throttle.recordFailure("192.0.2.8").refused).toBe(false);
  });

  test.each([
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
    ["2001:db8:1:2:3:4:5:6", "2001:DB8:0001:0002::9"],
    ["2001:db8::1", "2001:db8:0:0:8000::"],
    ["::1", "0:0:0:0:0:0:0:2"],
    ["fe80::1%eth0", "fe80::2"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0:1::"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
  ])("counts %s and %s as one source", (one, other) => {
    const throttle = open(new FakeClock());
    expect(areAllowed(throttle, one, 50) && areAllowed(throttle, other, 50)).toBe(true);
    expect(throttle.recordFailure(one).refused).toBe(true);
    expect(throttle.recordFailure(other).refused).toBe(true);
  });

  test.each([
    ["2001:db8:1:2::1", "2001:db8:1:3::1"],
    ["::ffff:192.0.2.7", "::ffff:192.0.2.8"],
    ["2001:db8::", "2001:db8:0:1::"],
  ])("counts %s and %s as two sources", (one, other) => {
    const throttle = open(new FakeClock());
    expect(areAllowed(throttle, one, 100)).toBe(true);
    expect(throttle.recordFailure(other).refused).toBe(false);
  });

  test("accepts any text as an address, since a proxy may send it", () => {
    const throttle = open(new FakeClock());
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (address) => {
        expect(typeof throttle.recordFailure(address).refused).toBe("boolean");
      }),
    );
  });

  test("reports which networks are throttled, without counting", () => {
    const clock = new FakeClock();
    const throttle = open(clock);
    areAllowed(throttle, "192.0.2.7", 99);
    for (let i = 0; i < 200; i++) expect(throttle.isThrottled("192.0.2.7")).toBe(false);
    throttle.recordFailure("192.0.2.7");
    expect(throttle.isThrottled("192.0.2.7")).toBe(true);
    expect(throttle.isThrottled("192.0.2.8")).toBe(false);
    clock.advance(60_000);
    expect(throttle.isThrottled("192.0.2.7")).toBe(false);
  });

  test("networks beyond the limit share one count, so that a flood resets no count and takes no more memory", () => {
    const clock = new FakeClock();
    const throttle = open(clock, 10);
    expect(areAllowed(throttle, "busy", 100)).toBe(true);
    const passed = Array.from({ length: 10_000 }, (_, i) => throttle.recordFailure(`2001:db8:0:${i.toString(16)}::1`));
    expect(passed.filter(({ refused }) => !refused)).toHaveLength(9 + 100);
    expect(throttle.size).toBe(10);
    expect(throttle.recordFailure("busy").refused).toBe(true);
    expect(throttle.isThrottled("new")).toBe(true);
    expect(throttle.isThrottled("2001:db8::1")).toBe(false);
  });

  test("forgets a network after a minute without failures", () => {
    const clock = new FakeClock();
    const throttle = open(clock, 10);
    for (let i = 0; i < 10; i++) throttle.recordFailure(`idle ${i}`);
    clock.advance(30_000);
    throttle.recordFailure("idle 0");
    clock.advance(30_000);
    throttle.recordFailure("new");
    expect(throttle.size).toBe(2);
    clock.advance(60_000);
    expect(throttle.size).toBe(0);
  });
});
