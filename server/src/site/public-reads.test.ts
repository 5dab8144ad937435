import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, test } from "vitest";
import { ReadBudget } from "./public-reads.ts";

const rates = { each: { burst: 60, perSecond: 4 }, all: { burst: 90, perSecond: 30 } };
const readerOf = (name: string) => [{ name, times: 1 }];

test("a single reader can use the complete budget of a reader", () => {
  const budget = new ReadBudget(new FakeClock(), rates);
  const results = Array.from({ length: 70 }, () => budget.take(readerOf("one")));
  expect(results.filter((refused) => refused === null)).toHaveLength(60);
  expect(results.filter((refused) => refused === "each")).toHaveLength(10);
});

test.each([40, 80])(
  "a network that reads one page every three seconds is served, even if %i networks read without pause",
  (networks) => {
    const clock = new FakeClock();
    const budget = new ReadBudget(clock, rates);
    let floodServed = 0;
    let served = 0;
    const seconds = 120;
    for (let second = 0; second < seconds; second++) {
      for (let quarter = 0; quarter < 4; quarter++) {
        clock.advance(250);
        for (let network = 0; network < networks; network++)
          if (budget.take(readerOf(`flood-${network}`)) === null) floodServed++;
      }
      // Only reads after the first half minute count.
      if (second >= 30 && second % 3 === 0 && budget.take(readerOf("visitor")) === null) served++;
    }
    expect(served).toBeGreaterThanOrEqual(29);
    expect(floodServed).toBeLessThanOrEqual(90 + 30 * seconds);
    expect(floodServed).toBeGreaterThan(25 * seconds);
  },
);

test("the networks within a wider network share the wider network's budget", () => {
  const budget = new ReadBudget(new FakeClock(), rates);
  const wider = { name: "2001:db8:0::/48", times: 1 };
  for (let network = 0; network < 60; network++)
    expect(budget.take([{ name: `network-${network}`, times: 1 }, wider])).toBe(null);
  expect(budget.take([{ name: "another", times: 1 }, wider])).toBe("each");
});
