import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, it } from "vitest";
import { clipBytes, ResponseBudget } from "./response-budget.ts";

const hourMs = 3_600_000;
const page = "x".repeat(20_000);

it("at most 31 MB of an account's long responses are stored whole in 30 days, and 256 bytes of each other one", () => {
  const clock = new FakeClock();
  const budget = new ResponseBudget(clock);
  let long = 0;
  for (let hour = 0; hour < 30 * 24; hour++, clock.advance(hourMs))
    for (let attempt = 0; attempt < 10; attempt++) {
      const { length } = budget.clip(1, page);
      expect([256, 20_000]).toContain(length);
      if (length > 256) long += length;
    }
  expect(long).toBeGreaterThan(29_000_000);
  expect(long).toBeLessThanOrEqual(31_000_000);
});

it("accounts do not share the budget, and short responses do not count", () => {
  const budget = new ResponseBudget(new FakeClock());
  for (let n = 0; n < 100; n++) budget.clip(1, page);
  expect(budget.clip(1, page)).toHaveLength(256);
  expect(budget.clip(2, page)).toHaveLength(20_000);
  for (let n = 0; n < 10_000; n++) expect(budget.clip(2, '{"ok":true}')).toBe('{"ok":true}');
  expect(budget.clip(2, page)).toHaveLength(20_000);
});

it("a text is cut between characters", () => {
  expect(clipBytes("aé🎵", 3)).toBe("aé");
  expect(clipBytes("aé🎵", 2)).toBe("a");
  expect(clipBytes("aé🎵", 6)).toBe("aé");
  expect(clipBytes("aé🎵", 7)).toBe("aé🎵");
});
