import { expect, it } from "vitest";
import { Doorkeeper } from "./response-cache.ts";

it("knows seen keys from unseen ones", () => {
  const doorkeeper = new Doorkeeper();
  const keys = Array.from({ length: 5_000 }, (_, number) => `reference/v1/beats?page=${number}`);
  expect(keys.filter((key) => doorkeeper.seenBefore(key))).toEqual([]);
  // Some have taken the place of others.
  expect(keys.filter((key) => doorkeeper.seenBefore(key)).length).toBeGreaterThan(4_500);
});

it("forgets old keys, in constant memory", () => {
  const doorkeeper = new Doorkeeper();
  doorkeeper.seenBefore("/v1/beats");
  for (let number = 0; number < 1_000_000; number++) doorkeeper.seenBefore(`/v1/beats/${number}`);
  expect(doorkeeper.seenBefore("/v1/beats")).toBe(false);
  expect(doorkeeper.seenBefore("/v1/beats")).toBe(true);
});
