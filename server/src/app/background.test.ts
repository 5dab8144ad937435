import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, it, vi } from "vitest";
import { paced } from "./background.ts";

it("the first change is immediate, later changes wait for the interval, and a run without a change starts no interval", async () => {
  const clock = new FakeClock();
  const job = vi.fn(async () => true);
  const run = paced(clock, 60_000, job);
  job.mockResolvedValueOnce(false);
  expect([await run(), await run(), await run()]).toEqual([false, true, false]);
  clock.advance(59_999);
  expect(await run()).toBe(false);
  clock.advance(1);
  expect([await run(), await run()]).toEqual([true, false]);
  expect(job).toHaveBeenCalledTimes(3);
});
