import { expect, it } from "vitest";
import { FakeClock } from "../../../test/harness/fake-clock.ts";
import { TokenBuckets } from "./token-buckets.ts";

it("admits a burst, then so many a second, for each network", () => {
  const clock = new FakeClock();
  const buckets = new TokenBuckets(clock, { burst: 3, perSecond: 0.5 });
  const take = () => buckets.take("2001:db8::1");
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 2]);
  expect(buckets.take("2001:db8::ffff")).toBe(2);
  expect(buckets.take("2001:db8:0:1::1")).toBe(0);
  clock.advance(1_000);
  expect(take()).toBe(1);
  clock.advance(1_000);
  expect([take(), take()]).toEqual([0, 2]);
  clock.advance(3_600_000);
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 2]);
});
