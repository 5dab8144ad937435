import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, it } from "vitest";
import { AnonymousPacing, anonymousRate, delayMs } from "./anonymous-pacing.ts";

/** Counts how many of `count` responses are delayed. */
async function countDelayed(pacing: AnonymousPacing, waits: number[], address: string, count: number): Promise<number> {
  waits.length = 0;
  for (let index = 0; index < count; index++) await pacing.pace(address);
  return waits.length;
}

function openPacing() {
  const clock = new FakeClock();
  const waits: number[] = [];
  return { clock, waits, pacing: new AnonymousPacing(clock, async (ms) => void waits.push(ms)) };
}

it("a network's burst is answered immediately, further requests a second later", async () => {
  const { clock, waits, pacing } = openPacing();
  expect(await countDelayed(pacing, waits, "192.0.2.7", anonymousRate.burst)).toBe(0);
  expect(await countDelayed(pacing, waits, "192.0.2.7", 10)).toBe(10);
  expect(waits).toEqual(Array(10).fill(delayMs));
  clock.advance(1_000);
  expect(await countDelayed(pacing, waits, "192.0.2.7", anonymousRate.perSecond + 3)).toBe(3);
});

it("other networks are not affected, and an IPv6 /64 counts as one network", async () => {
  const { waits, pacing } = openPacing();
  await countDelayed(pacing, waits, "2001:db8::1", anonymousRate.burst);
  expect(await countDelayed(pacing, waits, "2001:db8::2", 1)).toBe(1);
  expect(await countDelayed(pacing, waits, "2001:db8:0:1::1", 1)).toBe(0);
});
